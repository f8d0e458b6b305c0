import { describe, expect, test } from "vitest";
import { fileIdOf, fileNameOf, hasSoundType, mediaKindOf, type MediaPart, mediaTypeOf } from "./media.ts";

const file = (url: string, mediaType?: string): MediaPart => ({
  type: "file",
  url,
  ...(mediaType !== undefined && { mediaType }),
});

describe("the media type of a part", () => {
  test.each([
    [file("data:Application/PDF;base64,AA=="), "application/pdf"],
    [file("data:audio/wav;base64,AA==", "application/pdf"), "audio/wav"],
    [file("data:;base64,AA==", "audio/wav"), "audio/wav"],
    [file("data:,hello"), "text/plain"],
    [file("https://acme.test/a.MP4?x=1#t"), "video/mp4"],
    [file("https://acme.test/a.mp4", "Audio/MP4"), "audio/mp4"],
    [file("https://acme.test/a"), undefined],
    [file("openai:file-1"), undefined],
  ])("of %o is %s", (part, mediaType) => {
    expect(mediaTypeOf(part)).toBe(mediaType);
  });

  test.each([
    [file("https://acme.test/a.heic"), "image"],
    [file("data:video/mp4;base64,AA=="), "video"],
    [file("https://acme.test/a"), "file"],
    [{ type: "image", url: "https://acme.test/a" } as const, "image"],
    [{ type: "image", url: "data:application/pdf;base64,AA==" } as const, "file"],
  ])("makes %o a part of the kind %s", (part, kind) => {
    expect(mediaKindOf(part)).toBe(kind);
  });

  test("must be a type and a subtype on one line, perhaps with parameters", () => {
    expect(hasSoundType(file("https://acme.test/a"))).toBe(true);
    expect(hasSoundType(file("https://acme.test/a", "text/csv; charset=utf-8"))).toBe(true);
    expect(hasSoundType(file("https://acme.test/a", "pdf"))).toBe(false);
    expect(hasSoundType(file("data:text/x\r\nevil: 1;base64,AA=="))).toBe(false);
  });
});

test("a file without a name is called by its type", () => {
  expect(fileNameOf({ ...file("data:audio/x-wav;base64,AA=="), type: "file" })).toBe("file.wav");
  expect(fileNameOf(file("https://acme.test/a"))).toBe("file");
  expect(fileNameOf({ type: "file", url: "data:audio/wav;base64,AA==", filename: "song" })).toBe("song");
});

test("an id counts for its own provider alone, and addresses and contents have none", () => {
  expect(fileIdOf(file("openai:file-1"), "openai")).toBe("file-1");
  expect(fileIdOf(file("openai:file-1"), "anthropic")).toBeUndefined();
  expect(fileIdOf(file("https://acme.test"), "https")).toBeUndefined();
  expect(fileIdOf(file("data:text/plain,a"), "data")).toBeUndefined();
});
