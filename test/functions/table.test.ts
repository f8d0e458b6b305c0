/** The table of functions, in vitest: one test a row. */
import { describe, expect, test } from "vitest";
import { checkTheme } from "./check-theme.ts";
import { diagnosed, themes } from "./table/index.ts";

describe.each([...themes, ...diagnosed])("$name", (theme) => {
  const outcomes = checkTheme(theme);
  test.each(theme.rows.map(({ title }, index) => ({ title, index })))("$title", async ({ index }) => {
    const outcome = (await outcomes)[index];
    expect(outcome?.failures).toEqual([]);
  });
});

test("the table has at least 250 rows, each with a title of its own", () => {
  const titles = [...themes, ...diagnosed].flatMap(({ name, rows }) =>
    rows.map(({ title }) => `${name}: ${title}`),
  );
  expect(titles.length).toBeGreaterThanOrEqual(250);
  expect(new Set(titles).size).toBe(titles.length);
});
