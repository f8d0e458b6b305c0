import { describe, expect, test } from "vitest";
import { WireNames, digest, wireName } from "./wire-names.ts";

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

test("a name that does not fit keeps its beginning, each other letter an underscore, and has a digest", () => {
  expect(wireName("a.b c")).toBe(`a_b_c_${digest("a.b c")}`);
  const long = "x".repeat(64);
  expect(wireName(long)).toBe(long);
  expect(wireName(`${long}y`)).toBe(`${long.slice(0, 52)}_${digest(`${long}y`)}`);
  expect(wireName("abcdefghijklmnopq", 16)).toBe(`abcd_${digest("abcdefghijklmnopq")}`);
});

test("a digest is the same everywhere: states and histories hold names that have one", () => {
  expect(["", "a", "b", "weather.now", "天気"].map(digest)).toEqual([
    "0wvjl67o803",
    "262p94epp1d",
    "2dic9ba9q67",
    "1kkw0dy9896",
    "14o1ib35da8",
  ]);
});

test("a name of the program that looks like another one's on the wire is its own", () => {
  const first = wireName("weather.now");
  expect(new WireNames([first, "weather.now"]).original(first)).toBe(first);
});
