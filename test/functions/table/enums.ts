import { got, row, theme, type Theme } from "../row.ts";
import { anyOf, described, list, number, object, oneOf, only, string } from "../schemas.ts";
import {
  Level,
  Role,
  type Access,
  type Answer,
  type Direction,
  type Shift,
  type Single,
} from "./enumerations.js";

declare const enum Suit {
  Spades = "♠",
  Hearts = "♥",
}

/** What a job can be. */
const JobState = { Waiting: "waiting", Running: "running", Done: "done" } as const;
type JobState = (typeof JobState)[keyof typeof JobState];

const roles = described("Who somebody is.", oneOf("owner", "admin", "guest"));

export const enums: Theme = theme("enums", [
  row(
    "of texts, by their values",
    function invite(role: Role) {
      got(role);
    },
    {
      schema: object({ role: roles }),
      accepts: [[{ role: "admin" }, ["admin"]]],
      mends: [[{ role: "Admin" }, ["admin"]]],
      refuses: [
        [{ role: "root" }, "$.role"],
        [{ role: 0 }, "$.role"],
      ],
    },
  ),
  row(
    "of numbers, by their values",
    function alarm(level: Level) {
      got(level);
    },
    {
      schema: object({ level: described("0: Low, 5: Middle, 10: High", oneOf(0, 5, 10)) }),
      accepts: [[{ level: 5 }, [5]]],
      mends: [[{ level: "10" }, [10]]],
      refuses: [
        [{ level: 1 }, "$.level"],
        [{ level: "High" }, "$.level"],
      ],
    },
  ),
  row(
    "counted from 0",
    function turn(to: Direction) {
      got(to);
    },
    {
      schema: object({ to: described("0: North, 1: East, 2: South, 3: West", oneOf(0, 1, 2, 3)) }),
      accepts: [[{ to: 3 }, [3]]],
      refuses: [[{ to: 4 }, "$.to"]],
    },
  ),
  row(
    "of flags, computed from each other",
    function permit(access: Access) {
      got(access);
    },
    {
      schema: object({ access: described("0: None, 1: Read, 2: Write, 3: Both", oneOf(0, 1, 2, 3)) }),
      accepts: [[{ access: 3 }, [3]]],
      refuses: [[{ access: 4 }, "$.access"]],
    },
  ),
  row(
    "of texts and numbers",
    function answer(given: Answer) {
      got(given);
    },
    {
      schema: object({ given: described("0: No", oneOf(0, "YES")) }),
      accepts: [
        [{ given: "YES" }, ["YES"]],
        [{ given: 0 }, [0]],
      ],
      refuses: [[{ given: "NO" }, "$.given"]],
    },
  ),
  row(
    "with negative numbers, in declared order",
    function shift(by: Shift) {
      got(by);
    },
    {
      schema: object({ by: described("-1: Back, 0: Stay, 1: Forth", oneOf(-1, 0, 1)) }),
      accepts: [[{ by: -1 }, [-1]]],
      refuses: [[{ by: 2 }, "$.by"]],
    },
  ),
  row(
    "of one member",
    function sole(kind: Single) {
      got(kind);
    },
    {
      schema: object({ kind: only("sole") }),
      accepts: [[{ kind: "sole" }, ["sole"]]],
      refuses: [[{ kind: "other" }, "$.kind"]],
    },
  ),
  row(
    "that are constant",
    function play(suit: Suit) {
      got(suit);
    },
    {
      schema: object({ suit: oneOf("♠", "♥") }),
      accepts: [[{ suit: "♥" }, ["♥"]]],
      refuses: [[{ suit: "♦" }, "$.suit"]],
    },
  ),
  row(
    "one member",
    function promote(to: Role.Admin) {
      got(to);
    },
    {
      schema: object({ to: only("admin") }),
      accepts: [[{ to: "admin" }, ["admin"]]],
      refuses: [[{ to: "owner" }, "$.to"]],
    },
  ),
  row(
    "some members, in the order in which they were written",
    function demote(to: Role.Guest | Role.Admin) {
      got(to);
    },
    {
      schema: object({ to: oneOf("guest", "admin") }),
      accepts: [[{ to: "guest" }, ["guest"]]],
      refuses: [[{ to: "owner" }, "$.to"]],
    },
  ),
  row(
    "all members but one",
    function hire(as: Exclude<Role, Role.Owner>) {
      got(as);
    },
    {
      schema: object({ as: oneOf("admin", "guest") }),
      accepts: [[{ as: "admin" }, ["admin"]]],
      refuses: [[{ as: "owner" }, "$.as"]],
    },
  ),
  row(
    "a list of them",
    function team(members: Role[]) {
      got(members);
    },
    {
      schema: object({ members: list(roles) }),
      accepts: [[{ members: ["owner", "guest"] }, [["owner", "guest"]]]],
      mends: [[{ members: "owner" }, [["owner"]]]],
      refuses: [[{ members: ["owner", "root"] }, "$.members[1]"]],
    },
  ),
  row(
    "a member as the default",
    function join(role: Role = Role.Guest, level = Level.Middle) {
      got(role, level);
    },
    {
      schema: object(
        {
          role: { ...roles, default: "guest" },
          level: { ...described("0: Low, 5: Middle, 10: High", oneOf(0, 5, 10)), default: 5 },
        },
        ["role", "level"],
      ),
      accepts: [
        [{}, ["guest", 5]],
        [{ role: "owner", level: 0 }, ["owner", 0]],
      ],
      mends: [[{ role: null }, ["guest", 5]]],
      refuses: [[{ role: "root" }, "$.role"]],
    },
  ),
  row(
    "a member or null",
    function assign(role: Role | null) {
      got(role);
    },
    {
      schema: object({ role: oneOf("owner", "admin", "guest", null) }),
      accepts: [[{ role: null }, [null]]],
      refuses: [[{ role: "root" }, "$.role"]],
    },
  ),
  row(
    "a member or another word",
    function filter(by: Role | "anyone") {
      got(by);
    },
    {
      schema: object({ by: oneOf("owner", "admin", "guest", "anyone") }),
      accepts: [[{ by: "anyone" }, ["anyone"]]],
      refuses: [[{ by: "none" }, "$.by"]],
    },
  ),
  row(
    "a member or any number",
    function threshold(at: Role | number) {
      got(at);
    },
    {
      schema: object({ at: anyOf(oneOf("owner", "admin", "guest"), number) }),
      accepts: [
        [{ at: 3 }, [3]],
        [{ at: "owner" }, ["owner"]],
      ],
      refuses: [[{ at: "root" }, "$.at"]],
    },
  ),
  row(
    "their values as template literals",
    function named(role: `${Role}`) {
      got(role);
    },
    {
      schema: object({ role: oneOf("owner", "admin", "guest") }),
      accepts: [[{ role: "guest" }, ["guest"]]],
      refuses: [[{ role: "root" }, "$.role"]],
    },
  ),
  row(
    "the names of an enum",
    function describe(level: keyof typeof Level) {
      got(level);
    },
    {
      schema: object({ level: oneOf("Low", "Middle", "High") }),
      accepts: [[{ level: "High" }, ["High"]]],
      refuses: [[{ level: "Highest" }, "$.level"]],
    },
  ),
  row(
    "a constant object in the place of one",
    function advance(to: JobState) {
      got(to);
    },
    {
      schema: object({ to: described("What a job can be.", oneOf("waiting", "running", "done")) }),
      accepts: [[{ to: "done" }, ["done"]]],
      refuses: [[{ to: "Done!" }, "$.to"]],
    },
  ),
  row(
    "members as keys",
    function quotas(seats: Record<Role, number>, note: string) {
      got(seats, note);
    },
    {
      schema: object({ seats: object({ owner: number, admin: number, guest: number }), note: string }),
      accepts: [
        [{ seats: { owner: 1, admin: 2, guest: 3 }, note: "" }, [{ owner: 1, admin: 2, guest: 3 }, ""]],
      ],
      refuses: [[{ seats: { owner: 1, admin: 2 }, note: "" }, "$.seats.guest"]],
    },
  ),
]);
