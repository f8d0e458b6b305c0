/** The most characters of one text in a history, and of a model's whole answer. */
export const longestText = 33_554_432;
