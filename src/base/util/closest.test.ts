import { expect, test } from "vitest";
import { closest } from "./closest.ts";

const tools = ["getWeather", "get_time", "sendEmail", "refundItem", "constructor"];

test("names that differ in case or by a typing mistake are found", () => {
  expect(closest("getweather", tools)).toEqual(["getWeather"]);
  expect(closest("sendEmial", tools)).toEqual(["sendEmail"]);
  expect(closest("refundItems", tools)).toEqual(["refundItem"]);
});

test("other ways of writing several words are found, and longer or shorter names", () => {
  expect(closest("get_weather", tools)).toEqual(["getWeather"]);
  expect(closest("weather", tools)).toEqual(["getWeather"]);
  expect(closest("functions.sendEmail", tools)).toEqual(["sendEmail"]);
});

test("the nearest comes first, and no more than asked for", () => {
  expect(closest("cat", ["cart", "ca", "cat", "dog"])).toEqual(["cat", "cart", "ca"]);
  expect(closest("cat", ["cart", "ca", "cat"], 1)).toEqual(["cat"]);
});

test("a name that resembles none has no nearest", () => {
  expect(closest("banana", tools)).toEqual([]);
  expect(closest("", tools)).toEqual([]);
});

test("a name of a million characters costs no time", () => {
  expect(closest("x".repeat(1_000_000), tools)).toEqual([]);
});
