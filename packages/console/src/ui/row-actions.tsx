/** What a row offers, as links in its last column. */
import { Button } from "antd";

export interface RowAction {
  readonly text: string;
  /** Names it with what the row is about. */
  readonly label: string;
  readonly disabled: boolean;
  /** Why it cannot be done. */
  readonly title?: string | undefined;
  readonly danger?: boolean;
  readonly onClick: () => void;
}

export function RowActions({ actions }: { actions: readonly RowAction[] }) {
  return (
    <div className="k-actions">
      {actions.map(({ text, label, ...rest }) => (
        <Button key={text} type="link" size="small" aria-label={label} {...rest}>
          {text}
        </Button>
      ))}
    </div>
  );
}
