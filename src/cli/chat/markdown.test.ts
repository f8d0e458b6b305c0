import { expect, test } from "vitest";
import { markdownWriter } from "./markdown.ts";

const paint = (style: unknown, text: string): string => `<${String(style)}>${text}</>`;

/** What is shown of a text that comes in these pieces. */
function shown(pieces: Iterable<string>, inWords = false): string {
  const writer = markdownWriter({ paint: inWords ? (_style, text) => text : paint }, inWords);
  let text = "";
  for (const piece of pieces) text += writer.write(piece);
  return text + writer.end();
}

const page = `# Weather in *Paris*
It is **18 \`degrees\`** and _sunny_, snake_case_name stays, so does 2 * 3 * 4.

- one
  * [two](https://example.com/a_b)
1. three
- [x] done
> quoted **words**

\`\`\`ts
const a = "**no**"; // # no heading
  indented
\`\`\`
---
![chart](https://example.com/c.png) ~~old~~ \\*escaped\\* [1] <b>`;

const laidOut = `<bold,underline>Weather in </><bold,underline,italic>Paris</>
It is <bold>18 </><bold,cyan>degrees</> and <italic>sunny</>, snake_case_name stays, so does 2 * 3 * 4.

• one
  • <underline>two</> (https://example.com/a_b)
1. three
☑ done
<dim>│ quoted </><dim,bold>words</>

<dim>  ts</>
  <cyan>const a = "**no**"; // # no heading</>
  <cyan>  indented</>
<dim>────────────────────</>
[image: chart] (https://example.com/c.png) <strikethrough>old</> *escaped* [1] <b>`;

/** Neighbours of one style are one. */
function merged(text: string): string {
  return text.replaceAll(/(<[a-z,]+>)([^<]*)<\/>(?:\1([^<]*)<\/>)+/g, (whole, style: string) => {
    return `${style}${whole.replaceAll(style, "").replaceAll("</>", "")}</>`;
  });
}

test("headings, emphasis, code, lists, quotes, links and lines are laid out", () => {
  expect(merged(shown([page]))).toBe(laidOut);
});

test("a text that comes letter by letter looks the same", () => {
  expect(merged(shown(page))).toBe(laidOut);
});

test("however a text is cut into pieces, it looks the same", () => {
  for (let size = 2; size < 40; size += 1) {
    const pieces = page.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    expect(merged(shown(pieces)), `pieces of ${size}`).toBe(laidOut);
  }
});

test("plain words are shown as they come, a mark once it is known what it means", () => {
  const writer = markdownWriter({ paint });
  expect(writer.write("Hello the")).toBe("Hello the");
  expect(writer.write("re, **bo")).toBe("re, ");
  expect(writer.write("ld**")).toBe("");
  expect(writer.write(" and")).toBe("<bold>bold</> and");
  expect(writer.write("\n")).toBe("\n");
  expect(writer.end()).toBe("");
});

test.each([
  ["**never closed", "**never closed"],
  ["`never closed", "`never closed"],
  ["[no link] (here)", "[no link] (here)"],
  ["a ** b ** c", "a ** b ** c"],
  ["*a **b** c*", "<italic>a </><italic,bold>b</><italic> c</>"],
  ["```\nnever closed", "  <cyan>never closed</>"],
  ["#hashtag", "#hashtag"],
  ["-5 degrees", "-5 degrees"],
  ["", ""],
])("%j, complete, is shown as %j", (text, expected) => {
  expect(shown([text])).toBe(expected);
  expect(merged(shown(text))).toBe(expected);
});

test("a mark that is not closed soon holds nothing back", () => {
  const writer = markdownWriter({ paint });
  expect(writer.write(`**${"a".repeat(1000)}`)).toContain("**aaa");
});

test("in plain mode, drops marks and labels code", () => {
  expect(shown(["# Title\n**Bold** [link](https://a.example)\n```ts\ncode\n```\nText"], true)).toBe(
    "Title\nBold link (https://a.example)\nCode in ts:\n  code\nEnd of code.\nText",
  );
});

test("a long text of almost-marks is laid out without being read over and over", () => {
  const text = "[ *a _b ~~c ".repeat(20_000);
  expect(shown([text])).toHaveLength(text.length);
});
