import { expect, test } from "vitest";
import { allowedDomains } from "./allowed-domains.ts";
import { personalData } from "./personal-data.ts";
import { secrets } from "./secrets.ts";

/** One character of each class that the patterns of the checks have, and each sign that they have. */
const characters = "aA0_-.:/=@ \n\"'<>()[]{}\\+%&*~#,;`|é".split("");
const pairs = characters.flatMap((first) => characters.map((second) => first + second));

/** Far more than these runs cost, and far less than they would if the square of a length counted. */
const timeout = 30_000;

test.each([
  ["secrets", secrets()],
  ["personalData", personalData()],
  ["allowedDomains", allowedDomains(["example.com"])],
])(
  "%s takes a time that grows with the length of a run, whatever the characters",
  (_, judge) => {
    for (const piece of characters) expect(judge({ text: piece.repeat(300_000) })).toBeUndefined();
    for (const piece of pairs) expect(judge({ text: piece.repeat(50_000) })).toBeUndefined();
  },
  timeout,
);
