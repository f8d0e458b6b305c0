import type { ToolContext } from "skein";
import * as skein from "skein";
import type { ToolContext as Injected } from "skein";
import { got, row, theme, type Theme } from "../row.ts";
import { described, list, number, object, string } from "../schemas.ts";

interface Shop {
  user: string;
  limits: { seats: number };
}

type ShopContext = ToolContext<Shop>;

/** A program's own type of the same name is an ordinary one. */
declare namespace Own {
  interface ToolContext {
    id: string;
  }
}

void skein.schemaOf;

export const toolContext: Theme = theme("ToolContext", [
  row(
    "last",
    function greet(word: string, context: ToolContext<Shop>) {
      got(word, context.context.user);
    },
    {
      schema: object({ word: string }),
      accepts: [[{ word: "Hello" }, ["Hello", "Ada"]]],
      refuses: [[{ word: "Hello", context: {} }, "$.context"]],
    },
  ),
  row(
    "first, under any name",
    function seats(shop: ToolContext<Shop>, wanted: number) {
      got(shop.context.limits.seats, wanted);
    },
    {
      schema: object({ wanted: number }),
      accepts: [[{ wanted: 2 }, [4, 2]]],
      refuses: [[{ shop: {}, wanted: 2 }, "$.shop"]],
    },
  ),
  row(
    "between others",
    function move(from: string, { context }: ToolContext<Shop>, to: string) {
      got(from, context.user, to);
    },
    {
      schema: object({ from: string, to: string }),
      accepts: [[{ from: "a", to: "b" }, ["a", "Ada", "b"]]],
      refuses: [[{ from: "a" }, "$.to"]],
    },
  ),
  row(
    "alone",
    function whoAmI(context: ToolContext<Shop>) {
      got(context.context.user);
    },
    {
      schema: object({}),
      accepts: [[{}, ["Ada"]]],
      refuses: [[{ context: { user: "Eve" } }, "$.context"]],
    },
  ),
  row(
    "optional",
    function log(text: string, context?: ToolContext<Shop>) {
      got(text, context?.context.user);
    },
    {
      schema: object({ text: string }),
      accepts: [[{ text: "a" }, ["a", "Ada"]]],
      refuses: [[{}, "$.text"]],
    },
  ),
  row(
    "or undefined, before others",
    function note(context: ToolContext<Shop> | undefined, text: string) {
      got(context?.toolCallId, text);
    },
    {
      schema: object({ text: string }),
      accepts: [[{ text: "a" }, ["call", "a"]]],
      refuses: [[{}, "$.text"]],
    },
  ),
  row(
    "through an alias",
    function order(item: string, shop: ShopContext) {
      got(item, shop.context.user);
    },
    {
      schema: object({ item: string }),
      accepts: [[{ item: "a" }, ["a", "Ada"]]],
      refuses: [[{ item: "a", shop: {} }, "$.shop"]],
    },
  ),
  row(
    "imported under another name",
    function call(context: Injected, to: string) {
      got(typeof context.call, to);
    },
    {
      schema: object({ to: string }),
      accepts: [[{ to: "a" }, ["function", "a"]]],
      refuses: [[{}, "$.to"]],
    },
  ),
  row(
    "of a module as a whole",
    function wait(context: skein.ToolContext, ms: number) {
      got(context.signal.aborted, ms);
    },
    {
      schema: object({ ms: number }),
      accepts: [[{ ms: 1 }, [false, 1]]],
      refuses: [[{}, "$.ms"]],
    },
  ),
  row(
    "beside a destructured parameter, which is flattened",
    function find({ city, days = 1 }: { city: string; days?: number }, { context }: ToolContext<Shop>) {
      got(city, days, context.user);
    },
    {
      schema: object({ city: string, days: { ...number, default: 1 } }, ["days"]),
      accepts: [[{ city: "a" }, ["a", 1, "Ada"]]],
      refuses: [[{ days: 1 }, "$.city"]],
    },
  ),
  row(
    "before a rest",
    function tag(context: ToolContext<Shop>, ...words: string[]) {
      got(context.context.user, words);
    },
    {
      schema: object({ words: list(string) }, ["words"]),
      accepts: [[{ words: ["a"] }, ["Ada", ["a"]]]],
      refuses: [[{ words: [{}] }, "$.words[0]"]],
    },
  ),
  row(
    "with what every call has",
    function inspect(context: ToolContext) {
      got(
        typeof context.progress,
        typeof context.runAgent,
        context.messages,
        context.idempotencyKey.endsWith("/call"),
        context.agent,
      );
    },
    {
      schema: object({}),
      accepts: [[{}, ["function", "function", [], true, undefined]]],
      refuses: [[{ toolCallId: "x" }, "$.toolCallId"]],
    },
  ),
  row(
    "named in a comment, it stays unseen",
    /**
     * Says who asks.
     * @param context - Injected
     * @param why - The reason
     */
    function ask(context: ToolContext<Shop>, why: string) {
      got(context.context.user, why);
    },
    {
      description: "Says who asks.",
      schema: object({ why: described("The reason", string) }),
      accepts: [[{ why: "a" }, ["Ada", "a"]]],
      refuses: [[{}, "$.why"]],
    },
  ),
  row(
    "a type of the program's own that is called so is a parameter",
    function own(context: Own.ToolContext) {
      got(context);
    },
    {
      schema: object({ context: object({ id: string }) }),
      accepts: [[{ context: { id: "a" } }, [{ id: "a" }]]],
      refuses: [[{}, "$.context"]],
    },
  ),
]);
