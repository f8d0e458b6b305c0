import { useState } from "preact/hooks";
import type { VNode } from "preact";
import { type FieldSchema, readJson, readNumber, type Reading } from "./field-values.ts";
import { visible } from "./text.tsx";

interface ControlProps {
  readonly id: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  /** What the field began with: it decides on the control, which stays the same while a person types. */
  readonly original: unknown;
  readonly isRequired: boolean;
  readonly isInvalid: boolean;
  readonly onChange: (reading: Reading) => void;
}

/** The control that a schema asks for. */
export function Control(props: ControlProps): VNode {
  const { id, schema, value, original, onChange } = props;
  const { type, enum: choices } = schema;
  if (Array.isArray(choices)) return <Choice {...props} choices={choices} />;
  const isAbsent = original === undefined;
  if (type === "boolean" && (isAbsent || typeof original === "boolean"))
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onChange({ value: currentTarget.checked })}
      />
    );
  if ((type === "number" || type === "integer") && (isAbsent || typeof original === "number"))
    return <TypedControl {...props} isLong={false} read={(text) => readNumber(text, type === "integer")} />;
  if (type === "string" && (isAbsent || typeof original === "string"))
    return <TypedControl {...props} isLong={isLongText(original)} read={(text) => ({ value: text })} />;
  return <TypedControl {...props} isJson isLong read={readJson} />;
}

/** A text field of one line has no place for line breaks. */
function isLongText(text: unknown): boolean {
  return typeof text === "string" && (text.length > 60 || /[\n\r]/.test(text));
}

/** A field that keeps its text as it is typed: what it means is read from it. */
function TypedControl({
  id,
  schema,
  original,
  isInvalid,
  isJson = false,
  isLong,
  read,
  onChange,
}: ControlProps & {
  readonly isJson?: boolean;
  readonly isLong: boolean;
  readonly read: (text: string) => Reading;
}): VNode {
  const [text, setText] = useState(() => textOf(original, isJson));
  const own = {
    id,
    value: text,
    "aria-invalid": isInvalid,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setText(currentTarget.value);
      onChange(read(currentTarget.value));
    },
  };
  if (!isLong)
    return (
      <input
        {...own}
        {...(schema.type !== "string" && { inputMode: schema.type === "integer" ? "numeric" : "decimal" })}
      />
    );
  const rows = isJson ? Math.min(12, text.split("\n").length + 1) : 4;
  return <textarea {...own} class={isJson ? "m" : ""} rows={rows} />;
}

function textOf(value: unknown, isJson: boolean): string {
  if (value === undefined) return "";
  return typeof value === "string" && !isJson ? value : (JSON.stringify(value, null, 2) ?? "");
}

/** One of several values. Texts are quoted where others could look the same. */
function Choice({
  id,
  value,
  isRequired,
  choices,
  onChange,
}: ControlProps & { readonly choices: readonly unknown[] }): VNode {
  const isPlain = choices.every((choice) => typeof choice === "string");
  const write = (choice: unknown): string =>
    isPlain && typeof choice === "string" ? choice : (JSON.stringify(choice) ?? "not set");
  const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
  return (
    <select
      id={id}
      value={String(at)}
      onChange={({ currentTarget }) => onChange({ value: choices[Number(currentTarget.value)] })}
    >
      {(at < 0 || !isRequired) && <option value="-1">{visible(at < 0 ? write(value) : "not set")}</option>}
      {choices.map((choice, index) => (
        <option key={index} value={String(index)}>
          {visible(write(choice))}
        </option>
      ))}
    </select>
  );
}
