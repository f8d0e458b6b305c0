import { expect, test } from "vitest";
import { personalData, type PersonalDataOptions } from "./personal-data.ts";

const judge = (text: string, options?: PersonalDataOptions) => personalData(options)({ text });

test.each([
  ["Write to ann.lee+shop@mail.example.com.", "an email address"],
  ["jörg@müller.de", "an email address"],
  ["ann＠example.com", "an email address"],
  ["ann\u200b@example.com", "an email address"],
  ["Call +49 (0)30 1234567 today", "a phone number"],
  ["00441632960961", "a phone number"],
  ["(555) 123-4567", "a phone number"],
  ["555-123-4567", "a phone number"],
  ["Ruf 030 / 123 456 78 an", "a phone number"],
  ["DE89 3704 0044 0532 0130 00 is my account", "a bank account (IBAN)"],
  ["gb82west12345698765432", "a bank account (IBAN)"],
  ["NO9386011117947", "a bank account (IBAN)"],
  ["4111 1111 1111 1111", "a card number"],
  ["2 x 5500-0000-0000-0004, 12/29", "a card number"],
  ["378282246310005", "a card number"],
  ["card:4111.1111.1111.1111", "a card number"],
  ["4111  1111  1111  1111", "a card number"],
  ["4111\n1111\n1111\n1111", "a card number"],
  ["2024  4111 1111\r\n1111 1111 123", "a card number"],
  ["3782.822463.10005", "a card number"],
  ["41111111\n11111111", "a card number"],
  ["git@example.com", "an email address"],
  ["+1 (555) 123-4567", "a phone number"],
  ["+44 800 000 000", "a phone number"],
  ["01 02 20 34 55", "a phone number"],
])("%j has %s", (text, reason) => {
  expect(judge(text)).toBe(reason);
});

test.each([
  "Order 4111111111111112 of 2024-01-02 costs 1,234.56.",
  "Version 1.2.3-rc.4 at 12:30, 01-02-2024 and 01/02/2024.",
  "DE89 3704 0044 0532 0130 01 has a wrong checksum.",
  "user@localhost, @name and a@b",
  "4111111111111111222233334444",
  "The number 1234567890123 belongs to no card.",
  "ISBN 978-3-16-148410-0",
  "img/file@2x.png, icon@3x.jpg and logo@1.5x.webp",
  "git@github.com:foo/bar and ssh://git@github.com/foo/bar.git",
  "01-02-2024 03 and 01-02-2024 03-04",
  "+100000000, +1 000 000 000 and +20.000.000.000",
  "4111.1111.1111.1112, and 4111  1111  1111",
  "123e4567-e89b-12d3-a456-426614174000",
  "",
])("%j has none", (text) => {
  expect(judge(text)).toBeUndefined();
});

test("kinds and exceptions narrow what is looked for", () => {
  const text = "ann@example.com, (555) 123-4567";
  expect(judge(text)).toBe("an email address, a phone number");
  expect(judge(text, { kinds: ["phone"] })).toBe("a phone number");
  expect(judge(text, { kinds: ["iban", "card"] })).toBeUndefined();
  expect(judge(text, { except: ["ANN@example.com", "555 123 4567"] })).toBeUndefined();
  expect(judge(`${text}, bob@example.com`, { except: ["ann@example.com", "5551234567"] })).toBe(
    "an email address",
  );
});

test("unknown kinds are refused", () => {
  expect(() => personalData({ kinds: ["name" as "email"] })).toThrow(
    'kinds of personalData() must be a list of "email"',
  );
  expect(() => personalData({ kinds: [] })).toThrow("kinds of personalData()");
  expect(() => personalData({ except: "x" as unknown as [] })).toThrow(
    "except of personalData() must be a list",
  );
});

test("a long text takes a time that grows with its length", () => {
  const pieces = [
    "a@",
    "@b.",
    "1 ",
    "12-",
    "(0",
    "DE89",
    "+1 ",
    "x".repeat(64),
    "4111\n",
    "4111.",
    "git@a.de:",
  ];
  for (const piece of pieces) judge(piece.repeat(400_000 / piece.length));
  expect(judge(`${"a.".repeat(500_000)}@`)).toBeUndefined();
});
