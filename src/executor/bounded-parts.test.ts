import { expect, test } from "vitest";
import type { Part } from "../message/parts.ts";
import { boundedParts } from "./bounded-parts.ts";

const text = (length: number): Part => ({ type: "text", text: "x".repeat(length) });
const image = (length: number): Part => ({ type: "image", url: "x".repeat(length) });

test("of an image 32 characters weigh as much as one of text, and every part weighs one more", () => {
  expect(boundedParts([text(10), image(320)], 22)).toEqual([text(10), image(320)]);
  expect(boundedParts([text(10), image(320)], 21)).toEqual([
    text(10),
    { type: "text", text: "[image of 320 characters left out]", note: true },
  ]);
});

test("parts after the last that fits are left out, with their number", () => {
  expect(boundedParts([text(4), text(4), text(4), text(4)], 10)).toEqual([
    text(4),
    text(4),
    { type: "text", text: "[2 parts left out]" },
  ]);
});

test("the parts are copies, with all that belongs to them", () => {
  const parts: Part[] = [
    { type: "text", text: "a" },
    { type: "file", url: "data:text/plain,b", filename: "b.txt" },
  ];
  const bounded = boundedParts(parts, 100);
  expect(bounded).toEqual(parts);
  bounded.forEach((part, index) => expect(part).not.toBe(parts[index]));
});
