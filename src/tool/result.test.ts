import { expect, test } from "vitest";
import { isToolReturn, result } from "./result.ts";

test("only result() makes a result, whatever else looks like one", () => {
  const marked = result({ value: 1, isError: true, final: false });
  expect(marked).toMatchObject({ value: 1, isError: true, final: false });
  expect(isToolReturn(marked)).toBe(true);
  expect(isToolReturn({ ...marked })).toBe(true);
  for (const value of [undefined, null, "text", 7, {}, JSON.parse(JSON.stringify(marked))])
    expect(isToolReturn(value)).toBe(false);
});

test("an unknown field is refused, and no field is needed", () => {
  expect(() => result({ vlue: 1 } as never)).toThrow('result() has no option "vlue". Did you mean "value"?');
  expect(isToolReturn(result({}))).toBe(true);
});
