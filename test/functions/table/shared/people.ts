/** A person in the directory. */
export interface Person {
  name: string;
  /** Where to write. @format email */
  email?: string;
}

export type Team = { name: string; lead: Person };

/** How far along it is. */
export type Stage = "planned" | "begun" | "done";
