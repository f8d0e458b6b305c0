import { expect, test } from "vitest";
import { assertMiddleware } from "./check-middleware.ts";

const act = (): void => {};
const check =
  (middleware: unknown, isOfRun = true) =>
  () =>
    assertMiddleware(middleware, "run()", isOfRun);

test.each<[unknown]>([
  [undefined],
  [[]],
  [[{ model: act }, { tool: act }]],
  [[{ run: act, step: act, model: undefined }]],
  [[{ tool: act, name: "log", zzzzzzzz: act, tols: 1 }]],
  [[Object.create({ tool: act })]],
  [[{ model: act, wholeAnswers: true }]],
])("%o is a list of middlewares", (middleware) => {
  expect(check(middleware)).not.toThrow();
});

test.each<[unknown, string]>([
  [{ tool: act }, "middleware of run() must be a list: middleware: [...]."],
  [null, "middleware of run() must be a list"],
  [[{ tool: act }, null], "middleware[1] of run() must be an object with functions."],
  [[act], "middleware[0] of run() must be an object with functions."],
  [[{ tool: 1 }], '"tool" of middleware[0] of run() must be a function.'],
  [[{ run: null }], '"run" of middleware[0] of run() must be a function.'],
  [[{}], "middleware[0] of run() has no function to call."],
  [[{ name: "log" }], "middleware[0] of run() has no function to call."],
  [
    [{ tool: act, modle: act }],
    'middleware[0] of run() has an unknown function "modle". Did you mean "model"?',
  ],
  [[{ tooll: act }], 'unknown function "tooll". Did you mean "tool"?'],
  [[{ stepp: act }], 'Did you mean "step"?'],
  [[{ model: act, wholeAnswers: "no" }], '"wholeAnswers" of middleware[0] of run() must be true or false.'],
])("%o is refused by its place", (middleware, words) => {
  expect(check(middleware)).toThrow(
    expect.objectContaining({
      code: "invalid-option",
      data: { option: "middleware" },
      message: expect.stringContaining(words),
    }),
  );
});

test.each(["run", "step"])("a function around a %s is of runs alone", (name) => {
  const middleware = [{ model: act, [name]: act }];
  expect(check(middleware)).not.toThrow();
  expect(check(middleware, false)).toThrow(
    `middleware[0] of run() has the function "${name}", which stands around runs. Pass it in the options of run().`,
  );
  expect(check([{ model: act, tool: act }], false)).not.toThrow();
});
