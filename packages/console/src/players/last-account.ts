/** The account of the last question, preset in the next one. */
export const lastAsked = { account: "" };
