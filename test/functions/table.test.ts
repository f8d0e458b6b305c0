/** The table of functions, in vitest: one test a row. */
import { beforeAll, describe, expect, test } from "vitest";
import { checkTheme, type Outcome } from "./check-theme.ts";
import { developed, themes } from "./table/index.ts";

describe.each([...themes, ...developed])("$name", (theme) => {
  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    outcomes = await checkTheme(theme);
  });
  test.each(theme.rows.map(({ title }, index) => ({ title, index })))("$title", ({ index }) => {
    expect(outcomes[index]?.failures).toEqual([]);
  });
});

test("the table has at least 250 rows, each with a title of its own, each of which accepts and refuses something", () => {
  const rows = [...themes, ...developed].flatMap(({ name, rows }) => rows.map((row) => ({ name, ...row })));
  expect(rows.length).toBeGreaterThanOrEqual(250);
  expect(new Set(rows.map(({ name, title }) => `${name}: ${title}`)).size).toBe(rows.length);
  const idle = rows.filter(
    ({ expected }) =>
      "schema" in expected &&
      ((expected.accepts ?? []).length === 0 || (expected.refuses ?? []).length === 0),
  );
  expect(idle.map(({ title }) => title)).toEqual([]);
});
