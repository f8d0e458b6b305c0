/** A stretch of one line of a source file. */
export interface Place {
  /** An absolute path. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** In UTF-16 units; what goes on behind the end of the line is not counted. */
  readonly length: number;
}
