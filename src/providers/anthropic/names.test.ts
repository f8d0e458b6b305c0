import { describe, expect, test } from "vitest";
import { toolNames, wireId } from "./names.ts";

describe("tool names", () => {
  const valid = /^[a-zA-Z0-9_-]{1,128}$/;

  test("names that the API accepts stay as they are", () => {
    const names = ["get_weather", "A-1", "__proto__", "constructor", "x".repeat(128)];
    const map = toolNames(names);
    expect(names.map((name) => map.toWire(name))).toEqual(names);
    expect(names.map((name) => map.fromWire(name))).toEqual(names);
  });

  test("other names become valid and distinct, and are translated back", () => {
    const names = [
      "a.b",
      "a/b",
      "a b",
      "a_b",
      "",
      "日本",
      "🦢",
      "x".repeat(129),
      `${"x".repeat(129)}y`,
      "crm:users.list",
    ];
    const map = toolNames(names);
    const wire = names.map((name) => map.toWire(name));
    expect(wire.filter((name) => !valid.test(name))).toEqual([]);
    expect(new Set(wire).size).toBe(names.length);
    expect(wire.map((name) => map.fromWire(name))).toEqual(names);
  });

  test("the substitute of a name does not depend on the other tools, unless one has the same name", () => {
    const alone = toolNames(["a.b"]).toWire("a.b");
    expect(toolNames(["z", "c.d", "a.b"]).toWire("a.b")).toBe(alone);
    const map = toolNames(["a.b", alone]);
    expect(map.toWire(alone)).toBe(alone);
    expect(map.toWire("a.b")).not.toBe(alone);
    expect(map.fromWire(map.toWire("a.b"))).toBe("a.b");
  });

  test("an unknown name stays as it is", () => {
    expect(toolNames(["f"]).fromWire("invented")).toBe("invented");
  });
});

describe("ids of calls", () => {
  test("ids that the API accepts stay as they are", () => {
    expect(wireId("toolu_01A-b")).toBe("toolu_01A-b");
  });

  test("other ids become valid and distinct", () => {
    const odd = ["", "a|b", "a:b", "functions.f:0", "日本", "x".repeat(300), "x".repeat(301)];
    const wire = odd.map(wireId);
    expect(wire.filter((id) => !/^[a-zA-Z0-9_-]+$/.test(id))).toEqual([]);
    expect(new Set(wire).size).toBe(odd.length);
  });
});
