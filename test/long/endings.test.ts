/** 10,000 answers that end in every way at every place: a tool is executed with the arguments that the server meant, or not at all. */
import { expect, test } from "vitest";
import { randomOf, type Random } from "../../src/testing/conformance/random.ts";
import {
  cutReasons,
  endingEvents,
  goodReasons,
  googleEnding,
  uncertainReasons,
} from "../providers/answer-endings.ts";
import { outcomeOfModel } from "../providers/hostile-server.ts";
import { modelOver, protocols, type Protocol } from "../providers/protocols.ts";

const kinds = { good: goodReasons, cut: cutReasons, uncertain: uncertainReasons } as const;
type Kind = keyof typeof kinds;

const googleReasons: Readonly<Record<Kind, readonly (string | undefined)[]>> = {
  good: ["STOP"],
  cut: ["MAX_TOKENS", "SAFETY", "CANCELLED", "MALFORMED_FUNCTION_CALL"],
  uncertain: [undefined, "", "A_NEW_ONE", "OTHER"],
};

/** Where an answer is cut: not at all, in the arguments by the server, or in its bytes by the network. */
const cuts = ["nowhere", "arguments", "bytes", "connection"] as const;

interface Case {
  readonly protocol: Protocol;
  readonly kind: Kind;
  readonly reason: string | undefined;
  readonly cut: (typeof cuts)[number];
  readonly meant: object;
  readonly body: string;
  readonly pieces: readonly Uint8Array[];
}

const texts = ['say "hi"', "a\\b", "}{", "]", "über", "😀", "", "null", "1.5", "a,b:c"];

function caseOf(random: Random): Case {
  const protocol = pick(random, protocols);
  const kind = pick(random, ["good", "cut", "uncertain"] as const);
  const reason = pick(random, protocol === "google" ? googleReasons[kind] : kinds[kind][protocol]);
  const cut = pick(random, cuts);
  const items = Array.from({ length: Math.floor(random.next() * 4) }, () => pick(random, texts));
  const nested = { keys: [[1, 2, { deep: pick(random, texts) }], true, null] };
  // The last property is a list: brackets make a whole object of its beginning, with less in it than was meant.
  const amount = random.integer(10, 1000);
  const meant = { to: pick(random, texts), nested, amount, items: ["first", pick(random, texts), ...items] };
  const text = JSON.stringify(meant);
  // After a good ending, missing brackets are a slip of the model's, which is mended.
  const shortest = kind === "good" ? text.length - 2 : 0;
  const end = cut === "arguments" ? random.integer(shortest, text.length - 1) : text.length;
  const isOpen = random.next() < 0.1;
  const events =
    protocol === "google"
      ? googleEnding(meant, reason)
      : endingEvents(protocol, { text: text.slice(0, end), reason, isOpen });
  const data = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  const body = data.map((each) => `data: ${each}\n\n`).join("");
  const bytes = new TextEncoder().encode(body);
  const isBroken = cut === "bytes" || cut === "connection";
  const kept = isBroken ? bytes.subarray(0, Math.floor(random.next() * bytes.length)) : bytes;
  return {
    protocol,
    kind,
    reason,
    cut: isOpen && cut === "nowhere" ? "bytes" : cut,
    meant,
    body,
    pieces: split(random, kept),
  };
}

function pick<T>(random: Random, values: readonly T[]): T {
  const value = random.pick(values);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the list is not empty, and its values may be undefined
  return value as T;
}

/** The bytes in up to three pieces. */
function split(random: Random, bytes: Uint8Array): Uint8Array[] {
  const places = [random.next(), random.next()]
    .map((each) => Math.floor(each * bytes.length))
    .sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
}

function fetchOf({ pieces, cut }: Case): typeof globalThis.fetch {
  return async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
        if (cut === "connection") controller.error(new TypeError("terminated"));
        else controller.close();
      },
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
}

/** What is wrong with the outcome of a case; `undefined` if nothing is. */
async function problemOf(each: Case): Promise<string | undefined> {
  const model = modelOver(each.protocol, { url: "https://api.acme.test", fetch: fetchOf(each) });
  const { inputs, error } = await outcomeOfModel(model, ["to", "items", "nested", "amount"]);
  const executed = JSON.stringify(inputs);
  const whole = JSON.stringify([each.meant]);
  if (executed !== "[]" && executed !== whole) return `executed with ${executed}`;
  if (each.kind === "cut" && executed !== "[]") return "executed although something is missing";
  if (each.cut === "nowhere" && each.kind === "good" && executed !== whole)
    return `not executed: ${String(error)}`;
  return undefined;
}

test("10,000 endings: what is executed is whole", { timeout: 300_000 }, async () => {
  const problems: string[] = [];
  const combinations = new Set<string>();
  for (let seed = 1; seed <= 10_000; seed++) {
    const each = caseOf(randomOf(seed));
    combinations.add(`${each.protocol} ${each.kind} ${each.cut}`);
    const problem = await problemOf(each);
    if (problem) problems.push(`seed ${seed}, ${each.protocol}, ${each.reason}, ${each.cut}: ${problem}`);
  }
  expect(problems).toEqual([]);
  expect(combinations.size).toBe(protocols.length * 3 * cuts.length);
});
