import { type } from "arktype";
import { expectTypeOf, test } from "vitest";
import * as v from "valibot";
import { z } from "zod";
import {
  Agent,
  generate,
  type Generation,
  output,
  run,
  type RunResult,
  type RunStream,
  stream,
} from "../../index.ts";

interface Invoice {
  readonly total: number;
}
interface Session {
  readonly user: string;
}
const typed = new Agent({ name: "A", output: output<Invoice>() });

test("the output has the type that the form says, or is not there", () => {
  expectTypeOf(typed).toEqualTypeOf<Agent<unknown, Invoice>>();
  expectTypeOf(run(typed, "go")).toEqualTypeOf<Promise<RunResult<unknown, Invoice>>>();
  expectTypeOf<RunResult<unknown, Invoice>["output"]>().toEqualTypeOf<Invoice | undefined>();
  expectTypeOf(stream(typed, "go")).toEqualTypeOf<RunStream<unknown, Invoice>>();
});

test("schemas of libraries say what comes out of them", () => {
  const schema = z.object({
    at: z.string().transform((text) => new Date(text)),
    to: z.enum(["a", "b"]).default("a"),
  });
  const agent = new Agent({ name: "A", output: schema });
  expectTypeOf(agent).toEqualTypeOf<Agent<unknown, { at: Date; to: "a" | "b" }>>();
  const valibot = new Agent({ name: "A", output: v.object({ total: v.number() }) });
  expectTypeOf(valibot).toEqualTypeOf<Agent<unknown, { total: number }>>();
  const arktype = new Agent({ name: "A", output: type({ total: "number" }) });
  expectTypeOf(arktype).toEqualTypeOf<Agent<unknown, { total: number }>>();
});

test("a JSON Schema says no type; it can be said", () => {
  const schema = { type: "object", properties: { total: { type: "number" } } };
  expectTypeOf(new Agent({ name: "A", output: schema })).toEqualTypeOf<Agent>();
  expectTypeOf(new Agent<unknown, Invoice>({ name: "A", output: schema })).toEqualTypeOf(typed);
  // @ts-expect-error -- the schema is that of another type
  void new Agent<unknown, Invoice>({ name: "A", output: output<string>() });
});

test("the form of the options goes before the agent's", () => {
  expectTypeOf(run(typed, "go", { output: output<string>() })).resolves.toEqualTypeOf<
    RunResult<unknown, string>
  >();
  expectTypeOf(run(typed, "go", { maxTurns: 1 })).resolves.toEqualTypeOf<RunResult<unknown, Invoice>>();
});

test("context and output go together, and copies keep both", () => {
  const agent = new Agent<Session>({ name: "A", instructions: ({ context }) => context.user });
  const edited = agent.with({ output: output<Invoice>() });
  expectTypeOf(edited).toEqualTypeOf<Agent<Session, Invoice>>();
  expectTypeOf(edited.with({ name: "B" })).toEqualTypeOf<Agent<Session, Invoice>>();
  const context: Session = { user: "Ada" };
  expectTypeOf(run(edited, "go", { context })).resolves.toEqualTypeOf<RunResult<Session, Invoice>>();
  void new Agent({ name: "C", handoffs: [edited, typed, agent] });
  // @ts-expect-error -- without its context
  void run(edited, "go", { context: {} });
});

test("generate gives its type, too", () => {
  expectTypeOf(generate("offline", { messages: "go", output: output<Invoice>() })).toEqualTypeOf<
    Promise<Generation<Invoice>>
  >();
  expectTypeOf(generate("offline", "go")).toEqualTypeOf<Promise<Generation>>();
  // @ts-expect-error -- a form is a schema or a type
  void generate("offline", { messages: "go", output: "Invoice" });
});
