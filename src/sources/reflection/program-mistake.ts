/** Something that TypeScript finds wrong with a program. */
export interface ProgramMistake {
  /** Offsets in the program's text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
