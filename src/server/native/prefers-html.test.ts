import { expect, test } from "vitest";
import { prefersHtml } from "./prefers-html.ts";

test.each([
  ["text/html", true],
  ["TEXT/HTML", true],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
  ["application/json;q=0.5, text/html ; q=0.5", true],
  ["text/html;charset=utf-8;Q=0.1", true],
  ["text/html;q=0.1,application/json", false],
  ["text/html;q=0", false],
  ["text/html;q=0.000, */*", false],
  ["text/html;q=yes", false],
  ["application/json", false],
  ["x-text/html", false],
  ["text/html-x", false],
  ["*/*", false],
  ["", false],
])("accept: %s", (accept, isPage) => {
  expect(prefersHtml(accept)).toBe(isPage);
});
