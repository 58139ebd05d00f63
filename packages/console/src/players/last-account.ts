/** The account of the last question. The next question starts with the same account. */
export const lastAsked = { account: "" };
