/** Widths of dialogs in CSS pixels: a question or single field, a form, a form with a table, the activity editor. */
export const DIALOG_WIDTH = { small: 416, form: 520, table: 720, editor: 1000 } as const;
