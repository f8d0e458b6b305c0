import type { EventSourceMessage } from "eventsource-parser";
import type { Issue } from "skein";
import { got, row, theme, type Theme } from "../row.ts";
import { anything, described, list, number, object, oneOf, orNull, string } from "../schemas.ts";
import anonymous, { greet, wave } from "./shared/functions.ts";
import type { Coordinates, Region } from "./shared/geo.js";
import { welcome } from "./shared/index.ts";
import type Look from "./shared/index.ts";
import type { containers, Couple, Person, Stage as Phase, Team } from "./shared/index.ts";

const person = described(
  "A person in the directory.",
  object(
    {
      name: string,
      email: { ...string, description: "Where to write.", format: "email" },
    },
    ["email"],
  ),
);
const stage = oneOf("planned", "begun", "done");
const coordinates = object({
  latitude: { ...number, description: "Degrees north.", minimum: -90 },
  longitude: number,
});

export const imports: Theme = theme("imports and re-exports", [
  row(
    "a type of another file",
    function call(person: Person) {
      got(person);
    },
    {
      schema: object({ person }),
      accepts: [[{ person: { name: "Ada" } }, [{ name: "Ada" }]]],
      refuses: [[{ person: { name: "Ada", email: "here" } }, "$.person.email"]],
    },
  ),
  row(
    "one that another file imports in turn",
    function lead(team: Team) {
      got(team);
    },
    {
      schema: object({ team: object({ name: string, lead: person }) }),
      accepts: [[{ team: { name: "a", lead: { name: "b" } } }, [{ name: "a", lead: { name: "b" } }]]],
      refuses: [[{ team: { name: "a", lead: {} } }, "$.team.lead.name"]],
    },
  ),
  row(
    "under another name, exported",
    function marry(couple: Couple<string, string>) {
      got(couple);
    },
    {
      schema: object({ couple: object({ first: string, second: string }) }),
      accepts: [[{ couple: { first: "a", second: "b" } }, [{ first: "a", second: "b" }]]],
      refuses: [[{ couple: { first: "a" } }, "$.couple.second"]],
    },
  ),
  row(
    "under another name, imported, in declared order",
    function advance(to: Phase) {
      got(to);
    },
    {
      schema: object({ to: described("How far along it is.", stage) }),
      accepts: [[{ to: "begun" }, ["begun"]]],
      refuses: [[{ to: "late" }, "$.to"]],
    },
  ),
  row(
    "a default export that is a type",
    function paint(look: Look) {
      got(look);
    },
    {
      schema: object({
        look: described(
          "How things look.",
          object({ color: oneOf("light", "dark"), stage: described("How far along it is.", stage) }, [
            "stage",
          ]),
        ),
      }),
      accepts: [[{ look: { color: "dark" } }, [{ color: "dark" }]]],
      refuses: [[{ look: { color: "grey" } }, "$.look.color"]],
    },
  ),
  row(
    "of a module as a whole",
    function turn(page: containers.Page<number>) {
      got(page);
    },
    {
      schema: object({
        page: object({ items: list(number), cursor: described("Where to go on.", orNull(string)) }),
      }),
      accepts: [[{ page: { items: [1], cursor: null } }, [{ items: [1], cursor: null }]]],
      refuses: [[{ page: { items: [1] } }, "$.page.cursor"]],
    },
  ),
  row(
    "import(...) within a type",
    // oxlint-disable-next-line typescript/consistent-type-imports -- what the row is about
    function hire(who: import("./shared/people.ts").Person) {
      got(who);
    },
    {
      schema: object({ who: person }),
      accepts: [[{ who: { name: "Ada" } }, [{ name: "Ada" }]]],
      refuses: [[{ who: {} }, "$.who.name"]],
    },
  ),
  row(
    "of a file with types alone",
    function pin(at: Coordinates, within?: Region) {
      got(at, within);
    },
    {
      schema: object({ at: coordinates, within: object({ name: string, outline: list(coordinates) }) }, [
        "within",
      ]),
      accepts: [[{ at: { latitude: 1, longitude: 2 } }, [{ latitude: 1, longitude: 2 }, undefined]]],
      refuses: [[{ at: { latitude: -91, longitude: 2 } }, "$.at.latitude"]],
    },
  ),
  row(
    "of a package with types alone",
    function handle(message: EventSourceMessage) {
      got(message);
    },
    {
      schema: object({
        message: described(
          "A parsed EventSource message event",
          object(
            {
              event: described(
                "The event type sent from the server. Note that this differs from the browser `EventSource`\nimplementation in that browsers will default this to `message`, whereas this parser will\nleave this as `undefined` if not explicitly declared.",
                string,
              ),
              id: described(
                "ID of the message, if any was provided by the server. Can be used by clients to keep the\nlast received message ID in sync when reconnecting.",
                string,
              ),
              data: described("The data received for this message", string),
            },
            ["event", "id"],
          ),
        ),
      }),
      accepts: [[{ message: { data: "a" } }, [{ data: "a" }]]],
      refuses: [[{ message: { id: "a" } }, "$.message.data"]],
    },
  ),
  row(
    "of a package that tsconfig's paths lead to",
    function explain(issue: Pick<Issue, "path" | "received">) {
      got(issue);
    },
    {
      schema: object({
        issue: object(
          {
            path: described(
              "Keys and indexes from the root to the wrong place; empty for the root.",
              list({ type: ["string", "number"] }),
            ),
            received: described("What stands there.", anything),
          },
          ["received"],
        ),
      }),
      accepts: [[{ issue: { path: ["a", 0] } }, [{ path: ["a", 0] }]]],
      refuses: [[{ issue: { path: [{}] } }, "$.issue.path[0]"]],
    },
  ),
  row("a function of another file", greet, {
    description: "Greets somebody.",
    schema: object({ person: { ...person, description: "Whom to greet" } }),
    accepts: [[{ person: { name: "Ada" } }, [{ name: "Ada" }]]],
    refuses: [[{ person: "Ada" }, "$.person"]],
  }),
  row("a function exported under another name keeps its own", welcome, {
    name: "greet",
    description: "Greets somebody.",
    schema: object({ person: { ...person, description: "Whom to greet" } }),
    accepts: [[{ person: { name: "Ada" } }, [{ name: "Ada" }]]],
    refuses: [[{}, "$.person"]],
  }),
  row("an arrow function of another file", wave, {
    description: "Waves.",
    schema: object({ times: { ...number, default: 1 } }, ["times"]),
    accepts: [
      [{}, [1]],
      [{ times: 2 }, [2]],
    ],
    refuses: [[{ times: [] }, "$.times"]],
  }),
  row("a default export without a name", anonymous, {
    name: "default",
    schema: object({ text: string }),
    accepts: [[{ text: "a" }, ["a"]]],
    refuses: [[{}, "$.text"]],
  }),
]);
