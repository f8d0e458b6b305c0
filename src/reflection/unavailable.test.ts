import { expect, test } from "vitest";
import { SchemaNotFoundError } from "../errors.ts";
import { describeFunctions } from "./unavailable.ts";

test("every answer is an error that names the function and what to do", async () => {
  const answers = await describeFunctions([function greet() {}, () => 1]);
  expect(answers).toHaveLength(2);
  for (const answer of answers) expect(answer).toBeInstanceOf(SchemaNotFoundError);
  expect(answers[0]).toMatchObject({
    message: expect.stringMatching(
      /the function "greet": this runtime cannot.*tool\(\{ name, description, input: schema, execute: fn \}\)/,
    ),
  });
  expect(answers[1]).toMatchObject({ message: expect.stringContaining("the function `() => 1`") });
});
