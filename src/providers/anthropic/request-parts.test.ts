import { expect, test } from "vitest";
import type { Part } from "../../message/parts.ts";
import { inputBlocks } from "./request-parts.ts";

function blocks(...parts: Part[]): { translated: unknown[]; warnings: string[] } {
  const warnings: string[] = [];
  return {
    translated: inputBlocks(parts, "a user's message", (warning) => void warnings.push(warning)),
    warnings,
  };
}

const base64 = (words: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(words)));

test.each<[string, Part, unknown]>([
  [
    "an address of an image",
    { type: "image", url: "https://a.example/x.png" },
    { type: "url", url: "https://a.example/x.png" },
  ],
  [
    "an image in a data URL",
    { type: "image", url: "data:image/webp;base64,AA==" },
    { type: "base64", media_type: "image/webp", data: "AA==" },
  ],
  [
    "an image with a name of its type that is common and wrong",
    { type: "image", url: "DATA:image/JPG;charset=x;base64,AA==" },
    { type: "base64", media_type: "image/jpeg", data: "AA==" },
  ],
  [
    "an image that came as a file",
    { type: "file", url: "data:image/gif;base64,AA==", filename: "x.gif" },
    { type: "base64", media_type: "image/gif", data: "AA==" },
  ],
])("%s is sent as an image", (_, part, source) => {
  expect(blocks(part)).toEqual({ translated: [{ type: "image", source }], warnings: [] });
});

test.each<[string, Part, unknown]>([
  [
    "a PDF",
    { type: "file", url: "data:application/pdf;base64,AA==" },
    { type: "base64", media_type: "application/pdf", data: "AA==" },
  ],
  [
    "an address of a file",
    { type: "file", url: "https://a.example/x" },
    { type: "url", url: "https://a.example/x" },
  ],
  [
    "an address of a PDF",
    { type: "file", url: "https://a.example/x", mediaType: "application/pdf" },
    { type: "url", url: "https://a.example/x" },
  ],
  [
    "text in base64",
    { type: "file", url: `data:text/csv;base64,${base64("größe,🦢")}` },
    { type: "text", media_type: "text/plain", data: "größe,🦢" },
  ],
  [
    "text as it stands in a data URL",
    { type: "file", url: "data:,a%20b" },
    { type: "text", media_type: "text/plain", data: "a b" },
  ],
  [
    "JSON",
    { type: "file", url: `data:application/json;base64,${base64("{}")}` },
    { type: "text", media_type: "text/plain", data: "{}" },
  ],
])("%s is sent as a document", (_, part, source) => {
  expect(blocks(part)).toEqual({ translated: [{ type: "document", source }], warnings: [] });
});

test("a file's name is its title", () => {
  const file: Part = { type: "file", url: "data:application/pdf;base64,AA==", filename: "bill.pdf" };
  expect(blocks(file).translated).toMatchObject([{ type: "document", title: "bill.pdf" }]);
});

test.each<[Part, string]>([
  [{ type: "image", url: "data:image/svg+xml;base64,AA==" }, "image (image/svg+xml)"],
  [{ type: "image", url: "blob:abc", mediaType: "image/png" }, "image (image/png)"],
  [
    { type: "file", url: "data:application/zip;base64,AA==", filename: "a.zip" },
    'file "a.zip" (application/zip)',
  ],
  [{ type: "file", url: "https://a.example/x.csv", mediaType: "text/csv" }, "file (text/csv)"],
  [{ type: "file", url: "data:text/plain;base64,not base64!" }, "file (text/plain)"],
  [{ type: "file", url: "data:text/plain,%E0%A4%A" }, "file (text/plain)"],
  [{ type: "file", url: "/etc/passwd" }, "file"],
])("%o becomes text that describes it, with a warning", (part, description) => {
  const { translated, warnings } = blocks(part);
  expect(translated).toEqual([{ type: "text", text: `[${description}, which cannot be shown]` }]);
  expect(warnings).toEqual([
    `The Messages API does not accept the ${description}: a text describes it instead.`,
  ]);
});

test("reasoning and empty text are left out", () => {
  expect(
    blocks({ type: "reasoning", text: "hm" }, { type: "text", text: " " }, { type: "text", text: " x " }),
  ).toEqual({
    translated: [{ type: "text", text: " x " }],
    warnings: [],
  });
});
