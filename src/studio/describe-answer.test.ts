import { expect, test } from "vitest";
import { redaction } from "../testing/recording/secrets.ts";
import { describeAnswer } from "./describe-answer.ts";
import { Exchange } from "./exchange.ts";

const encoder = new TextEncoder();
const secret = "sk-proj-abcdefghijklmnop1234567890";

function exchangeOf(texts: readonly string[]): Exchange {
  const exchange = new Exchange(1, 1, { wire: { url: "http://127.0.0.1/", headers: {}, body: "{}" } });
  for (const text of texts)
    exchange.addPiece(encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, text }] })}\n\n`));
  return exchange;
}

function words(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `w${index} `);
}

test("of an answer in 20,000 pieces a page is sent the first 2,000, and others have their turn meanwhile", async () => {
  const exchange = exchangeOf(words(20_000));
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const { pieces } = await describeAnswer(exchange, redaction());
  isDone = true;
  expect(pieces).toHaveLength(2_000);
  expect(pieces.at(-1)?.text).toContain("w1999 ");
  expect(turns).toBeGreaterThan(10);
  expect(exchange.pieceCount).toBe(20_000);
});

test("what was worked out is used again until there is more to send", async () => {
  const exchange = exchangeOf(words(3_500));
  const first = await describeAnswer(exchange, redaction());
  exchange.addPiece(encoder.encode("data: [DONE]\n\n"));
  expect((await describeAnswer(exchange, redaction())).pieces).toBe(first.pieces);

  const short = exchangeOf(words(3));
  const before = await describeAnswer(short, redaction());
  short.addPiece(encoder.encode("data: [DONE]\n\n"));
  expect(before.pieces).toHaveLength(3);
  expect((await describeAnswer(short, redaction())).pieces).toHaveLength(4);
  // Bytes that were dropped are not sent from what was kept.
  short.drop();
  expect((await describeAnswer(short, redaction())).pieces).toEqual([]);
});

test("a secret that ends behind the pieces that are sent is masked", async () => {
  const texts = [...words(1_990), ...secret.split("").flatMap((letter) => [letter]), ...words(100)];
  const { pieces } = await describeAnswer(exchangeOf(texts), redaction([secret]));
  const letters = pieces.slice(1_990).map(({ text }) => /"text":"(.)"/.exec(text)?.[1]);
  expect(letters).toHaveLength(10);
  expect(letters.join("")).not.toContain("sk-");
});

test("large pieces are sent as far as a page can use them, one at least", async () => {
  const large = "x".repeat(300_000);
  const { pieces } = await describeAnswer(exchangeOf(Array.from({ length: 10 }, () => large)), redaction());
  expect(pieces).toHaveLength(3);
  const only = await describeAnswer(exchangeOf(["x".repeat(1_100_000)]), redaction());
  expect(only.pieces).toHaveLength(1);
});
