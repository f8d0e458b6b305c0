/** A program for the accountant, how many calls it makes, and what it comes to. */
export interface Program {
  readonly code: string;
  readonly calls: number;
  /** How often it waits for approvals. */
  readonly pauses: number;
  readonly value: unknown;
}

/** Programs with loops, and with calls that are made at once. */
export const programs: Readonly<Record<string, Program>> = {
  "a loop, then calls at once, some of which need approvals": {
    code: `const results = [];
for (let i = 0; i < 3; i++) results.push(await tools.next());
const doubled = await Promise.all(results.map((n) => tools.double({ n })));
const approved = await Promise.all([tools.pay({ n: 1 }), tools.pay({ n: 2 }), tools.next()]);
return { results, doubled, approved };`,
    calls: 9,
    pauses: 1,
    value: { results: [1, 2, 3], doubled: [2, 4, 6], approved: ["paid 1", "paid 2", 4] },
  },
  "calls at once in a loop, and equal calls": {
    code: `let sum = 0;
for (let round = 0; round < 3; round++) {
  const [a, b] = await Promise.all([tools.double({ n: round }), tools.double({ n: 1 })]);
  sum += a + b;
}
return { sum, random: Math.random() > 2 };`,
    calls: 6,
    pauses: 0,
    value: { sum: 12, random: false },
  },
  "an approval in each round of a loop": {
    code: `const texts = [];
for (let n = 1; n <= 3; n++) {
  const m = await tools.double({ n });
  texts.push(await tools.pay({ n: m }));
}
return [...texts, await tools.next()];`,
    calls: 7,
    pauses: 3,
    value: ["paid 2", "paid 4", "paid 6", 1],
  },
};
