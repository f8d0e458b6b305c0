import type { VNode } from "preact";
import type { ArgumentsView } from "../src/studio/records.ts";
import { Control } from "./field-control.tsx";
import { type Draft, type FieldSchema, type Reading, withReading } from "./field-values.ts";
import { Text, visible } from "./text.tsx";

interface FieldProps {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly original: unknown;
  readonly isRequired: boolean;
  readonly issue: string | undefined;
  readonly onChange: (reading: Reading) => void;
}

/** Whether a value is an object that is not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The arguments of a tool, each with the control that its schema asks for. */
export function Fields({
  schema,
  draft,
  original,
  issues,
  onChange,
}: {
  schema: FieldSchema | undefined;
  draft: Draft;
  original: Readonly<Record<string, unknown>>;
  issues: ArgumentsView["issues"];
  onChange: (draft: Draft) => void;
}): VNode {
  const { value } = draft;
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
            issue={draft.issues.get(name) ?? issues.find(({ path }) => path[0] === name)?.message}
            onChange={(reading) => onChange(withReading(draft, name, reading))}
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
      <Control {...props} id={id} isInvalid={issue !== undefined} />
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
