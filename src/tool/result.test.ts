import { expect, test } from "vitest";
import { isToolReturn, result } from "./result.ts";

test("only result() makes a result, whatever else looks like one", () => {
  const made = result({ value: 1, isError: true, final: false });
  expect(made).toMatchObject({ value: 1, isError: true, final: false });
  expect(isToolReturn(made)).toBe(true);
  expect(isToolReturn({ ...made })).toBe(true);
  for (const value of [undefined, null, "text", 7, {}, JSON.parse(JSON.stringify(made))])
    expect(isToolReturn(value)).toBe(false);
});

test("an unknown field is refused, and no field is needed", () => {
  expect(() => result({ vlue: 1 } as never)).toThrow('result() has no option "vlue". Did you mean "value"?');
  expect(isToolReturn(result({}))).toBe(true);
});
