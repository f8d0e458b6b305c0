import type { Event, Message } from "@ag-ui/core";
import { expectTypeOf } from "vitest";
import type { AgUiEvent, AgUiMessage } from "./types.ts";

/** A type without `readonly`, and with the values of enums as texts. */
type Plain<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? number extends T["length"]
      ? Plain<Item>[]
      : { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T extends object
      ? { -readonly [Key in keyof T]: Plain<T[Key]> }
      : T;

type OfType<Type extends string> = Extract<Plain<Event>, { type: Type }>;

/** Of each event, whether it is one of the protocol. */
type Fits = {
  [Type in AgUiEvent["type"]]: Plain<Extract<AgUiEvent, { type: Type }>> extends OfType<Type> ? true : Type;
};

expectTypeOf<Fits[AgUiEvent["type"]]>().toEqualTypeOf<true>();
expectTypeOf<Plain<AgUiMessage>>().toExtend<Plain<Message>>();

/** Every message of the protocol but activities, which clients keep, can be told to the encoder. */
expectTypeOf<Exclude<Message["role"], AgUiMessage["role"]>>().toEqualTypeOf<"activity">();
