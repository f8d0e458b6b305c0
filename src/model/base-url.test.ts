import { expect, test } from "vitest";
import { assertBaseURL } from "./base-url.ts";

test.each(["https://api.openai.com/v1", "http://localhost:9/v1", "HTTP://127.0.0.1:8080"])(
  "%s can be asked",
  (baseURL) => {
    expect(() => assertBaseURL(baseURL, "baseURL")).not.toThrow();
  },
);

test.each([
  [
    "localhost:9/v1",
    'The baseURL "localhost:9/v1" needs http:// or https:// in front, such as "http://localhost:9/v1"',
  ],
  ["127.0.0.1:9/v1", 'such as "http://127.0.0.1:9/v1"'],
  ["api.acme.test/v1", 'such as "https://api.acme.test/v1"'],
  ["acme.test/localhost", 'such as "https://acme.test/localhost"'],
  ["[::1]:9/v1", 'such as "http://[::1]:9/v1"'],
  ["ftp://acme.test/v1", 'such as "https://acme.test/v1"'],
  [
    "proxy.test/https://acme.test",
    'needs http:// or https:// in front, such as "https://proxy.test/https://acme.test"',
  ],
  ["//acme.test/v1", 'such as "https://acme.test/v1"'],
  ["https://", 'The baseURL "https://" is not a URL.'],
  ["http://", 'The baseURL "http://" is not a URL.'],
])("refuses %s, and shows what to write", (baseURL, words) => {
  expect(() => assertBaseURL(baseURL, "baseURL")).toThrow(words);
  expect(() => assertBaseURL(baseURL, "baseURL")).toThrow(
    expect.objectContaining({ code: "invalid-base-url" }),
  );
});

test.each(["https://acme.test/v1?key=k", "https://acme.test/v1#top", "https://acme.test/?"])(
  "%s is refused, since paths are added at its end",
  (baseURL) => {
    expect(() => assertBaseURL(baseURL, "baseURL")).toThrow(
      'The baseURL has a query or a fragment ("?" or "#"), and paths are added at its end. ' +
        "Leave it out, and send keys as headers: { headers: { ... } }.",
    );
  },
);

test.each([
  "https://acme.test/v1?key=hunter2",
  "https://ada:hunter2@acme.test/v1",
  "ada:hunter2@acme.test/v1",
  "sk-hunter2hunter2",
])("does not show a secret in the base URL", (baseURL) => {
  let message = "";
  try {
    assertBaseURL(baseURL, "OPENAI_BASE_URL");
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain("OPENAI_BASE_URL");
  expect(message).not.toContain("hunter2");
});

test.each(["https://ada@acme.test/v1", "https://:pw@acme.test/v1"])(
  "%s is refused, since a login belongs in a header",
  (baseURL) => {
    expect(() => assertBaseURL(baseURL, "baseURL")).toThrow(
      "The baseURL holds a user name or a password. Send them as a header: { headers: { ... } }.",
    );
  },
);

test.each([
  ["http://[1", 'The baseURL "http://[1" is not a URL.'],
  ["HTTPS://", 'The baseURL "HTTPS://" is not a URL.'],
  ["xhttp://acme.test", 'such as "https://acme.test"'],
  [
    "ada:pw@localhost:9\n",
    'The baseURL "localhost:9\n" needs http:// or https:// in front, such as "http://localhost:9\n".',
  ],
  ["http:acme.test@[", 'The baseURL "[" is not a URL.'],
])("of %j, only what is behind a login is shown", (baseURL, words) => {
  expect(() => assertBaseURL(baseURL, "baseURL")).toThrow(words);
});
