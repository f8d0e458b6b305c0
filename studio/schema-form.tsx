import { useState } from "preact/hooks";
import type { VNode } from "preact";
import type { ArgumentsView } from "../src/studio/records.ts";
import { Text, visible } from "./text.tsx";

/** A JSON Schema, as far as forms read it. */
export interface FieldSchema {
  readonly type?: unknown;
  readonly description?: unknown;
  readonly enum?: unknown;
  readonly properties?: unknown;
  readonly required?: unknown;
  readonly [keyword: string]: unknown;
}

interface FieldProps {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly original: unknown;
  readonly isRequired: boolean;
  readonly issue: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** Whether a value is an object that is not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The arguments of a tool, each with the control that its schema asks for. */
export function Fields({
  schema,
  value,
  original,
  issues,
  onChange,
}: {
  schema: FieldSchema | undefined;
  value: Readonly<Record<string, unknown>>;
  original: Readonly<Record<string, unknown>>;
  issues: ArgumentsView["issues"];
  onChange: (value: Readonly<Record<string, unknown>>) => void;
}): VNode {
  const parameters = parametersOf(schema, original);
  return (
    <>
      <div class={parameters.length > 1 ? "f2" : "f1"}>
        {parameters.map(([name, own, isRequired]) => (
          <Field
            key={name}
            name={name}
            schema={own}
            isRequired={isRequired}
            value={Object.hasOwn(value, name) ? value[name] : undefined}
            original={Object.hasOwn(original, name) ? original[name] : undefined}
            issue={issues.find(({ path }) => path[0] === name)?.message}
            onChange={(member) => onChange(withMember(value, name, member))}
          />
        ))}
      </div>
      {issues
        .filter(({ path }) => !parameters.some(([name]) => name === path[0]))
        .map(({ message }) => (
          <p key={message} class="bad" role="alert">
            <Text of={message} />
          </p>
        ))}
    </>
  );
}

/** A copy with another member: a name such as `__proto__` is a name like others. */
function withMember(
  value: Readonly<Record<string, unknown>>,
  name: string,
  member: unknown,
): Readonly<Record<string, unknown>> {
  const next = { ...value };
  if (member === undefined) Reflect.deleteProperty(next, name);
  else
    Object.defineProperty(next, name, {
      value: member,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return next;
}

/** The parameters of a tool, by their names. */
function parametersOf(
  schema: FieldSchema | undefined,
  value: Readonly<Record<string, unknown>>,
): readonly (readonly [string, FieldSchema, boolean])[] {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const names = new Set([...Object.keys(properties), ...Object.keys(value)]);
  return [...names].map((name) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, isRecord(own) ? own : {}, required.includes(name)];
  });
}

/** What a value may be, in a few words. */
function limitsOf({ type, enum: choices, minimum, maximum, maxLength, format }: FieldSchema): string {
  const kind = Array.isArray(choices)
    ? "enum"
    : Array.isArray(type)
      ? type.join(" or ")
      : words(type ?? "JSON");
  return [
    kind,
    ...(minimum === undefined ? [] : [`≥ ${words(minimum)}`]),
    ...(maximum === undefined ? [] : [`≤ ${words(maximum)}`]),
    ...(maxLength === undefined ? [] : [`up to ${words(maxLength)} characters`]),
    ...(format === undefined ? [] : [words(format)]),
  ].join(" ");
}

function words(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** One parameter of a tool, with the control that its schema asks for. */
function Field(props: FieldProps): VNode {
  const { name, schema, value, original, isRequired, issue } = props;
  const id = `field-${name}`;
  const isEdited = JSON.stringify(value) !== JSON.stringify(original);
  const limits = limitsOf(schema);
  const before = original === undefined ? "nothing" : (JSON.stringify(original) ?? "nothing");
  return (
    <div class={isEdited ? "f ed" : "f"}>
      <label for={id}>
        {visible(name)} <span>{isRequired ? limits : `${limits}, optional`}</span>
      </label>
      <Control {...props} id={id} />
      {typeof schema.description === "string" && <span class="h">{visible(schema.description)}</span>}
      {issue !== undefined && (
        <span class="h bad" role="alert">
          {visible(issue)}
        </span>
      )}
      {isEdited && <span class="h you">was {visible(before.slice(0, 200))}, the model is told</span>}
    </div>
  );
}

function Control({ id, schema, value, onChange }: FieldProps & { readonly id: string }): VNode {
  const choices = Array.isArray(schema.enum) ? schema.enum : undefined;
  if (choices)
    return (
      <select
        id={id}
        value={String(choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value)))}
        onChange={({ currentTarget }) => onChange(choices[Number(currentTarget.value)])}
      >
        {value === undefined && <option value="-1">not set</option>}
        {choices.map((choice: unknown, index: number) => (
          <option key={index} value={String(index)}>
            {visible(typeof choice === "string" ? choice : (JSON.stringify(choice) ?? ""))}
          </option>
        ))}
      </select>
    );
  if (schema.type === "boolean")
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (schema.type === "number" || schema.type === "integer")
    return (
      <input
        id={id}
        inputMode={schema.type === "integer" ? "numeric" : "decimal"}
        value={value === undefined ? "" : words(value)}
        onInput={({ currentTarget }) => onChange(numberOf(currentTarget.value))}
      />
    );
  if (schema.type === "string" && (typeof value === "string" || value === undefined)) {
    const isLong = typeof value === "string" && (value.length > 60 || value.includes("\n"));
    return isLong ? (
      <textarea
        id={id}
        rows={4}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    ) : (
      <input id={id} value={value ?? ""} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    );
  }
  return <JsonControl id={id} value={value} onChange={onChange} />;
}

/** What is not a number stays what was typed: the check says what is wrong with it. */
function numberOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
}

/** A value without a control of its own, as JSON. */
function JsonControl({
  id,
  value,
  onChange,
}: {
  id: string;
  value: unknown;
  onChange: (value: unknown) => void;
}): VNode {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState("");
  return (
    <>
      <textarea
        id={id}
        class="m"
        rows={Math.min(12, text.split("\n").length + 1)}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          try {
            onChange(currentTarget.value.trim() === "" ? undefined : JSON.parse(currentTarget.value));
            setProblem("");
          } catch {
            setProblem("This is not JSON: the value before it counts.");
          }
        }}
      />
      {problem !== "" && <span class="h bad">{problem}</span>}
    </>
  );
}
