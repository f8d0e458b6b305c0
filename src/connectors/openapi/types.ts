import type { JsonSchema } from "../../schema/types.ts";
import type { NameClash } from "./compare-names.ts";

/** Where a parameter goes. */
export type ParameterLocation = "path" | "query" | "header" | "cookie";

/** How a value of several parts is written, as the OpenAPI Specification names it. */
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "tabDelimited"
  | "deepObject";

/** How a parameter, or a field of a form, is written. */
export interface Serialization {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** Reserved characters of URLs are left as they are. */
  readonly allowReserved: boolean;
  /** Written as this media type instead of by a style, such as `"application/json"`. */
  readonly mediaType?: string;
}

/** A parameter of an operation. */
export interface OperationParameter extends Serialization {
  readonly name: string;
  readonly in: ParameterLocation;
  /** The property of the tool's arguments that it is read from. */
  readonly argument: string;
  readonly required: boolean;
  readonly description?: string;
  /** As the document has it. */
  readonly schema: unknown;
  /** Where the members of an object are sent under their own names. */
  readonly members?: MemberNames;
}

/** What the members of a parameter may be called that are sent as if each was a parameter. */
export interface MemberNames {
  /** What the members' names begin with, where they are sent in brackets after it: `filter` of `filter[role]`. */
  readonly root?: string;
  readonly properties: ReadonlySet<string>;
  /** There may be others, too. */
  readonly isOpen: boolean;
  /** Whether the document has a member at a path within the object. */
  readonly declares: (path: readonly (string | number)[]) => boolean;
  /** Whether a name is one of credentials: never that of a member. */
  readonly credentials: NameClash;
  /** Whether a name is one of other parameters: that of a member only where the document has both. */
  readonly others: (name: string) => boolean;
}

/** What is known of one field of a form or of a multipart body. */
export interface BodyField {
  /** The field is a file, or a list of files. */
  readonly file: boolean;
  readonly contentType?: string;
  readonly serialization?: Serialization;
  /** Where the members of an object are sent as fields of their own. */
  readonly members?: MemberNames;
}

/** How a body is written. */
export type BodyKind = "json" | "form" | "multipart" | "text" | "binary";

/** The body of an operation's request. */
export interface OperationBody {
  readonly kind: BodyKind;
  readonly mediaType: string;
  /** The property of the tool's arguments that it is read from. */
  readonly argument: string;
  readonly required: boolean;
  readonly description?: string;
  /** As the document has it. */
  readonly schema: unknown;
  /** By name; only of forms and multipart bodies. */
  readonly fields: ReadonlyMap<string, BodyField>;
  /** What the fields may be called; only of forms and multipart bodies. */
  readonly members?: MemberNames;
}

/** A security scheme of the document, as far as a request can satisfy it. */
export type SecurityScheme =
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  | { readonly kind: "bearer" }
  | { readonly kind: "basic" }
  | {
      readonly kind: "oauth2";
      /** Where client credentials are exchanged for a token, if the scheme says so. */
      readonly tokenUrl?: string;
    }
  | { readonly kind: "unsupported"; readonly type: string };

/** One scheme that a request needs. */
export interface SecurityRequirement {
  /** The scheme's name in the document. */
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/** An operation of the document, as plain data. */
export interface Operation {
  /** In capitals, such as `"GET"`. */
  readonly method: string;
  /** As the document has it: `/pets/{petId}`. */
  readonly path: string;
  /** The tool's name. */
  readonly name: string;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Absolute; requests go to the first, redirects may lead to any. */
  readonly servers: readonly string[];
  readonly parameters: readonly OperationParameter[];
  readonly body?: OperationBody;
  /** Any one of the lists is enough, all of it; an empty list needs nothing. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  /** The schemas of JSON responses by status, as the document has them: `"200"`, `"2XX"`, `"default"`. */
  readonly responses: ReadonlyMap<string, unknown>;
  /** What `accept` is sent with. */
  readonly accept: string;
}

/** An operation that is left out. */
export interface LeftOut {
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
  /** A sentence. */
  readonly reason: string;
}

/** What became of a document. */
export interface OpenApiReport {
  readonly title: string;
  /** How many operations the document has. */
  readonly operations: number;
  /** The names of the tools, in the order of the document. */
  readonly tools: readonly string[];
  /** Every operation that is left out, and why. */
  readonly leftOut: readonly LeftOut[];
  /** What is there but could be taken over only in part, one sentence each. */
  readonly notes: readonly string[];
}

/** A request, before credentials are added. */
export interface PreparedRequest {
  readonly method: string;
  /** Without the query. */
  readonly url: string;
  /** Encoded pairs, such as `limit=5`. */
  readonly query: readonly string[];
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Encoded pairs, such as `session=abc`. */
  readonly cookies: readonly string[];
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** A JSON Schema made of one of the document's. */
export type ConvertedSchema = JsonSchema | boolean;
