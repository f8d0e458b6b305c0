export interface Page<Item> {
  items: Item[];
  /** Where to go on. */
  cursor: string | null;
}

export interface Pair<First, Second> {
  first: First;
  second: Second;
}

export interface Envelope<Content> {
  content: Pair<Content, Content>;
  pages?: Page<Content>;
}
