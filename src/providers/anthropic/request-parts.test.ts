import { expect, test } from "vitest";
import { UnsupportedPartError } from "../../errors.ts";
import type { FilePart, ImagePart, Part } from "../../message/parts.ts";
import { describeOfResult, refuseOfUser } from "../kit/media.ts";
import { inputBlocks } from "./request-parts.ts";

const target = { provider: "anthropic", modelId: "claude-opus-5-5" };

function blocks(...parts: Part[]): { translated: unknown[]; warnings: string[] } {
  const warnings: string[] = [];
  const refuse = describeOfResult("The Messages API", (warning) => void warnings.push(warning));
  return { translated: inputBlocks(parts, "a result of look", target, refuse), warnings };
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
  [
    { type: "file", url: "https://a.example/x.csv", mediaType: "text/csv" },
    "file (text/csv) at https://a.example/x.csv",
  ],
  [{ type: "file", url: "data:text/plain;base64,not base64!" }, "file (text/plain)"],
  [{ type: "file", url: "data:text/plain,%E0%A4%A" }, "file (text/plain)"],
  [{ type: "file", url: "/etc/passwd" }, "file"],
  [{ type: "file", url: "data:audio/wav;base64,AA==", filename: "a.wav" }, 'file "a.wav" (audio/wav)'],
  [{ type: "file", url: "https://a.example/x.mp4?signature=1" }, "file at https://a.example/x.mp4"],
  [{ type: "file", url: "openai:file-1" }, "file"],
])("%o of a tool's result becomes text that describes it, with a warning", (part, description) => {
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

test.each<[ImagePart | FilePart, unknown]>([
  [
    { type: "image", url: "anthropic:file_011" },
    { type: "image", source: { type: "file", file_id: "file_011" } },
  ],
  [
    { type: "file", url: "anthropic:file_011", mediaType: "image/png" },
    { type: "image", source: { type: "file", file_id: "file_011" } },
  ],
  [
    { type: "file", url: "anthropic:file_011", filename: "bill.pdf" },
    { type: "document", source: { type: "file", file_id: "file_011" }, title: "bill.pdf" },
  ],
])("%o is sent as the id of a stored file", (part, block) => {
  expect(blocks(part)).toEqual({ translated: [block], warnings: [] });
});

test.each<[ImagePart | FilePart, RegExp]>([
  [
    { type: "file", url: "data:audio/wav;base64,AA==", filename: "a.wav" },
    /^anthropic:claude-opus-5-5 does not support the file "a.wav" \(audio\/wav\) in a user's message: the Messages API does not support audio. Send a transcript/,
  ],
  [{ type: "file", url: "https://a.example/x.mp4" }, /does not support video. Send single images/],
  [{ type: "image", url: "data:image/heic;base64,AA==" }, /PNG, JPEG, GIF or WebP/],
  [{ type: "file", url: "data:application/zip;base64,AA==" }, /PDF or text/],
  [{ type: "file", url: "https://a.example/x", mediaType: "text/csv" }, /data: URL/],
  [{ type: "file", url: "openai:file-1" }, /"openai:" is not read there.*"anthropic:<id>"/],
  [{ type: "file", url: "data:text/plain,%E0%A4%A" }, /content cannot be read/],
  [{ type: "file", url: "https://a.example/x", mediaType: "pdf" }, /such as "application\/pdf"/],
])("%o of a user is refused, with the reason and the remedy", (part, why) => {
  const message = { role: "user", content: [part] } as const;
  const refuse = refuseOfUser(target, "The Messages API", { message, history: [message], warn: () => {} });
  const translate = (): unknown => inputBlocks([part], "a user's message", target, refuse);
  expect(translate).toThrow(UnsupportedPartError);
  expect(translate).toThrow(why);
});
