import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const tools = ["getWeather", "get_time", "sendEmail", "refundItem", "constructor"];

test("names that differ in case or by a typing mistake are found", () => {
  expect(nearest("getweather", tools)).toEqual(["getWeather"]);
  expect(nearest("sendEmial", tools)).toEqual(["sendEmail"]);
  expect(nearest("refundItems", tools)).toEqual(["refundItem"]);
});

test("other ways of writing several words are found, and longer or shorter names", () => {
  expect(nearest("get_weather", tools)).toEqual(["getWeather"]);
  expect(nearest("weather", tools)).toEqual(["getWeather"]);
  expect(nearest("functions.sendEmail", tools)).toEqual(["sendEmail"]);
});

test("the nearest comes first, and no more than asked for", () => {
  expect(nearest("cat", ["cart", "ca", "cat", "dog"])).toEqual(["cat", "cart", "ca"]);
  expect(nearest("cat", ["cart", "ca", "cat"], 1)).toEqual(["cat"]);
});

test("a name that resembles none has no nearest", () => {
  expect(nearest("banana", tools)).toEqual([]);
  expect(nearest("", tools)).toEqual([]);
});

test("a name of a million characters costs no time", () => {
  expect(nearest("x".repeat(1_000_000), tools)).toEqual([]);
});
