import { expect, test } from "vitest";
import { providerError } from "../../../model/http-errors.ts";
import { redactor } from "../../../model/secrets.ts";
import { lostFiles } from "./lost-files.ts";

const files = ["file-6F2ksmvXxt4VdoqmHRw6kL", "file_011CNha8iCJcU1wXNR6q4V8w", "files/a1b2c3d4e5f6"].map(
  (id) => ({ id }),
);

/** The ids that are lost, by what a provider says. */
function lostBy(status: number, message: string): readonly string[] {
  const redact = redactor({ authorization: "Bearer sk-proj-0123456789abcdef" }, "https://acme.test/v1/chat");
  const body = { error: { message } };
  const error = providerError({ provider: "p", modelId: "m", status, headers: {}, body, redact });
  return lostFiles(error, files).map(({ id }) => id);
}

test.each([
  [404, "No such File object: file-6F2ksmvXxt4VdoqmHRw6kL", [0]],
  [400, "Files ['file-6F2ksmvXxt4VdoqmHRw6kL'] were not found.", [0]],
  [404, "File not found: file_011CNha8iCJcU1wXNR6q4V8w", [1]],
  [403, "You do not have permission to access the File a1b2c3d4e5f6 or it may not exist.", [2]],
  [400, "File https://acme.test/v1beta/files/a1b2c3d4e5f6 is not in an ACTIVE state.", [2]],
  [400, "The file has expired.", [0, 1, 2]],
  [404, "No such file", [0, 1, 2]],
])("%d %s loses the files that it names, else all", (status, message, lost) => {
  expect(lostBy(status, message)).toEqual(lost.map((index) => files[index]?.id));
});

test.each([
  [401, "Incorrect API key provided."],
  [404, "The model `gpt-9` does not exist or you do not have access to it."],
  [400, "messages: roles must alternate"],
  [403, "Your account may not use this model."],
  [429, "The file could not be read: too many requests, file not found"],
  [500, "File not found: file_011CNha8iCJcU1wXNR6q4V8w"],
])("%d %s loses none", (status, message) => {
  expect(lostBy(status, message)).toEqual([]);
});

test("no other error loses files", () => {
  expect(lostFiles(new Error("File not found"), files)).toEqual([]);
});
