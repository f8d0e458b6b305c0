import { expect, test } from "vitest";
import { InvalidInputError } from "../errors.ts";
import { media } from "./media.ts";

const bytes = new Uint8Array([1, 2, 255]);

test("bytes become an image, or a file with its name", () => {
  expect(media(bytes, "IMAGE/png")).toEqual({ type: "image", url: "data:image/png;base64,AQL/" });
  expect(media(bytes, "audio/wav", "a.wav")).toEqual({
    type: "file",
    url: "data:audio/wav;base64,AQL/",
    filename: "a.wav",
  });
});

test("of a buffer, only the bytes of the view count", () => {
  expect(media(bytes.buffer, "video/mp4").url).toBe("data:video/mp4;base64,AQL/");
  expect(media(bytes.subarray(1), "video/mp4").url).toBe("data:video/mp4;base64,Av8=");
});

test("base64 is taken as it is", () => {
  expect(media("AQL/", "application/pdf")).toEqual({ type: "file", url: "data:application/pdf;base64,AQL/" });
});

test.each<[Parameters<typeof media>, RegExp]>([
  [["https://acme.test/a.pdf", "application/pdf"], /not base64.*write the part itself/],
  [["", "application/pdf"], /not base64/],
  [["AQL", "application/pdf; x"], /mediaType/],
  [[bytes, "pdf"], /such as "application\/pdf"/],
  [[new Uint8Array(), "application/pdf"], /empty/],
  [[Object(5), "application/pdf"], /must be bytes or base64/],
  [[Object(new Blob(["x"])), "application/pdf"], /must be bytes or base64.*arrayBuffer/],
])("%o is refused", (args, message) => {
  expect(() => media(...args)).toThrow(InvalidInputError);
  expect(() => media(...args)).toThrow(message);
});
