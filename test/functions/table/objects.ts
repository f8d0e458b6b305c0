import { got, row, theme, type Theme } from "../row.ts";
import { boolean, described, list, number, object, oneOf, orNull, string } from "../schemas.ts";

/** Where somebody lives. */
interface Address {
  street: string;
  /** Two letters, as in ISO 3166. */
  country: string;
  zip?: string;
}

type Guest = { readonly name: string; address: Address };

interface Base {
  /** Unique. */
  id: string;
}

interface Item extends Base {
  label: string;
}

interface Priced {
  price: number;
}

interface Offer extends Item, Priced {
  until: string | null;
}

const address = described(
  "Where somebody lives.",
  object({ street: string, country: described("Two letters, as in ISO 3166.", string), zip: string }, [
    "zip",
  ]),
);

export const objects: Theme = theme("objects", [
  row(
    "a parameter that is one stays one argument",
    function book(trip: { from: string; to: string }) {
      got(trip);
    },
    {
      schema: object({ trip: object({ from: string, to: string }) }),
      accepts: [[{ trip: { to: "Rome", from: "Oslo" } }, [{ from: "Oslo", to: "Rome" }]]],
      mends: [[{ trip: '{"from":"Oslo","to":"Rome"}' }, [{ from: "Oslo", to: "Rome" }]]],
      refuses: [
        [{ from: "Oslo", to: "Rome" }, "$.trip"],
        [{ trip: { from: "Oslo" } }, "$.trip.to"],
      ],
    },
  ),
  row(
    "properties that are not declared are refused",
    function save(note: { text: string }) {
      got(note);
    },
    {
      schema: object({ note: object({ text: string }) }),
      accepts: [[{ note: { text: "a" } }, [{ text: "a" }]]],
      refuses: [
        [{ note: { text: "a", bold: true } }, "$.note.bold"],
        [{ note: [] }, "$.note"],
      ],
    },
  ),
  row(
    "an interface, with the comments on it and its properties",
    function move(address: Address) {
      got(address);
    },
    {
      schema: object({ address }),
      accepts: [[{ address: { street: "a", country: "AT" } }, [{ street: "a", country: "AT" }]]],
      refuses: [[{ address: { street: "a" } }, "$.address.country"]],
    },
  ),
  row(
    "one in another",
    function seat(guest: Guest) {
      got(guest);
    },
    {
      schema: object({ guest: object({ name: string, address }) }),
      accepts: [
        [
          { guest: { name: "Ada", address: { street: "a", country: "GB", zip: "1" } } },
          [{ name: "Ada", address: { street: "a", country: "GB", zip: "1" } }],
        ],
      ],
      refuses: [[{ guest: { name: "Ada", address: { street: "a" } } }, "$.guest.address.country"]],
    },
  ),
  row(
    "four deep",
    function config(options: { a: { b: { c: { d: number } } } }) {
      got(options);
    },
    {
      schema: object({ options: object({ a: object({ b: object({ c: object({ d: number }) }) }) }) }),
      accepts: [[{ options: { a: { b: { c: { d: 1 } } } } }, [{ a: { b: { c: { d: 1 } } } }]]],
      refuses: [[{ options: { a: { b: { c: {} } } } }, "$.options.a.b.c.d"]],
    },
  ),
  row(
    "inherited properties, once each",
    function publish(offer: Offer) {
      got(offer);
    },
    {
      schema: object({
        offer: object({
          until: orNull(string),
          id: described("Unique.", string),
          label: string,
          price: number,
        }),
      }),
      accepts: [
        [
          { offer: { id: "1", label: "a", price: 2, until: null } },
          [{ id: "1", label: "a", price: 2, until: null }],
        ],
      ],
      refuses: [[{ offer: { id: "1", label: "a", price: 2 } }, "$.offer.until"]],
    },
  ),
  row(
    "properties that may be absent",
    function update(patch: { name?: string; size?: number | undefined; on: boolean }) {
      got(patch);
    },
    {
      schema: object({ patch: object({ name: string, size: number, on: boolean }, ["name", "size"]) }),
      accepts: [
        [{ patch: { on: true } }, [{ on: true }]],
        [{ patch: { name: "a", on: false } }, [{ name: "a", on: false }]],
      ],
      mends: [[{ patch: { name: null, on: true } }, [{ on: true }]]],
      refuses: [[{ patch: {} }, "$.patch.on"]],
    },
  ),
  row(
    "names that need quotes",
    function headers(values: { "content-type": string; "x y": number; 0: boolean }) {
      got(values);
    },
    {
      schema: object({ values: object({ 0: boolean, "content-type": string, "x y": number }) }),
      accepts: [
        [
          { values: { "content-type": "a", "x y": 1, 0: true } },
          [{ "content-type": "a", "x y": 1, 0: true }],
        ],
      ],
      refuses: [[{ values: { "content-type": "a", "x y": 1 } }, "$.values.0"]],
    },
  ),
  row(
    "names of Object's own methods",
    function own(value: { constructor: string; toString: number; hasOwnProperty?: boolean }) {
      got(value);
    },
    {
      schema: object({
        value: object({ constructor: string, toString: number, hasOwnProperty: boolean }, ["hasOwnProperty"]),
      }),
      accepts: [[{ value: { constructor: "a", toString: 1 } }, [{ constructor: "a", toString: 1 }]]],
      refuses: [[{ value: { constructor: "a" } }, "$.value.toString"]],
    },
  ),
  row(
    "readonly says nothing to a model",
    function freeze(value: { readonly id: string; readonly list: readonly string[] }) {
      got(value);
    },
    {
      schema: object({ value: object({ id: string, list: list(string) }) }),
      accepts: [[{ value: { id: "a", list: [] } }, [{ id: "a", list: [] }]]],
      refuses: [[{ value: { id: "a" } }, "$.value.list"]],
    },
  ),
  row(
    "several of one type",
    function compare(left: Address, right: Address) {
      got(left, right);
    },
    {
      schema: object({ left: address, right: address }),
      accepts: [
        [
          { left: { street: "a", country: "b" }, right: { street: "c", country: "d" } },
          [
            { street: "a", country: "b" },
            { street: "c", country: "d" },
          ],
        ],
      ],
      refuses: [[{ left: { street: "a", country: "b" } }, "$.right"]],
    },
  ),
  row(
    "unions of literals within, in declared order",
    function paint(style: { color: "z" | "a"; width: 3 | 1 | 2 }) {
      got(style);
    },
    {
      schema: object({ style: object({ color: oneOf("z", "a"), width: oneOf(3, 1, 2) }) }),
      accepts: [[{ style: { color: "a", width: 2 } }, [{ color: "a", width: 2 }]]],
      refuses: [[{ style: { color: "b", width: 2 } }, "$.style.color"]],
    },
  ),
  row(
    "the type of a constant",
    function restore(state: typeof initial) {
      got(state);
    },
    {
      schema: object({ state: object({ page: number, filters: list(string), isOpen: boolean }) }),
      accepts: [
        [{ state: { page: 2, filters: ["a"], isOpen: true } }, [{ page: 2, filters: ["a"], isOpen: true }]],
      ],
      refuses: [[{ state: { page: 2, filters: "a,b", isOpen: "so" } }, "$.state.filters"]],
    },
  ),
]);

const initial = { page: 1, filters: [] as string[], isOpen: false };
