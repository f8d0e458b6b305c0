import { Agent } from "skein";
import type { StartRunOptions } from "skein/durable";
import { expect, test } from "vitest";
import type { DurableObjectContext } from "./durable-object.ts";
import { durableObjectRuns } from "./object-runs.ts";

const agent = new Agent({ name: "Desk" });

/** The context of an object whose storage nobody may use. */
const unused: DurableObjectContext = {
  id: { toString: () => "1" },
  storage: {
    sql: {
      exec: () => {
        throw new Error("used");
      },
    },
    transactionSync: (work) => work(),
    setAlarm: () => Promise.reject(new Error("used")),
    deleteAlarm: () => Promise.reject(new Error("used")),
    sync: () => Promise.reject(new Error("used")),
  },
};

test("nothing is stored before the first call", () => {
  expect(durableObjectRuns(unused, { agents: [agent] }).get("job").id).toBe("job");
});

test.each([
  ["no context", undefined, "needs the context of a Durable Object, this.ctx, not undefined."],
  ["another thing", { storage: {} }, '"new_sqlite_classes" of a migration'],
])("%s is refused", (_, context, message) => {
  const create = (): unknown => Reflect.apply(durableObjectRuns, undefined, [context, { agents: [agent] }]);
  expect(create).toThrow(message);
});

test.each([
  [{ agents: [agent], lease: 1_000 }, 'durableObjectRuns() has no option "lease"'],
  [{ agents: [agent], store: {} }, 'durableObjectRuns() has no option "store"'],
  [{ agents: [agent], concurrency: 0 }, "The option concurrency of durableObjectRuns() must be an integer"],
  [{ agents: agent }, "The option agents of durableObjectRuns() must be a list of agents"],
])("wrong options are refused: %o", (options, message) => {
  const create = (): unknown => Reflect.apply(durableObjectRuns, undefined, [unused, options]);
  expect(create).toThrow(message);
});

test("a run that is to be executed at its place is refused: the object executes it", async () => {
  const runs = durableObjectRuns(unused, { agents: [agent] });
  const options: StartRunOptions = { here: true };
  await expect(runs.start(agent, "Hello", options)).rejects.toThrow("Leave out the option here");
});
