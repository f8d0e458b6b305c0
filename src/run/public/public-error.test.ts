import { expect, test } from "vitest";
import { publicProblem } from "./public-error.ts";

test.each([
  [
    "The arguments that options.approvals gives to pay are wrong: $.order expected a number.",
    "The arguments that the decision gives to pay are wrong: $.order expected a number.",
  ],
  ["The option tools of start() has two tools named a.", "tools has two tools named a."],
  ["What start() takes must be JSON.", "The request must be JSON."],
])("a client reads %j without names of the program's", (message, words) => {
  expect(publicProblem({ code: "invalid-input", message })).toEqual({
    code: "invalid-input",
    message: words,
  });
});
