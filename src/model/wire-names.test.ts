import { describe, expect, test } from "vitest";
import { WireNames, wireName } from "./wire-names.ts";

describe("wireName", () => {
  test("leaves what fits", () => {
    expect(wireName("get_weather-2")).toBe("get_weather-2");
    expect(wireName("toolu_01A", 40)).toBe("toolu_01A");
    expect(wireName("__proto__")).toBe("__proto__");
  });

  test("makes every other name legal, and keeps different names different", () => {
    const names = [
      "",
      " ",
      "a.b",
      "a b",
      "a/b",
      "météo",
      "天気",
      "天氣",
      "x".repeat(65),
      "x".repeat(66),
      "a_b",
    ];
    const mapped = names.map((name) => wireName(name));
    for (const name of mapped) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(mapped).size).toBe(names.length);
    expect(names.map((name) => wireName(name))).toEqual(mapped);
  });

  test("keeps 20,000 like names different in 40 characters", () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `agent.${"long-".repeat(9)}.${index}`);
    const mapped = new Set(names.map((name) => wireName(name, 40)));
    expect(mapped.size).toBe(names.length);
    for (const name of mapped) expect(name.length).toBeLessThanOrEqual(40);
  });
});

test("WireNames returns the program's name, and leaves unknown ones", () => {
  const names = new WireNames(["weather.now", "constructor"]);
  expect(names.original(wireName("weather.now"))).toBe("weather.now");
  expect(names.original("constructor")).toBe("constructor");
  expect(names.original("__proto__")).toBe("__proto__");
});
