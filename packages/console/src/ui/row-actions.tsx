import { Button } from "antd";

export interface RowAction {
  readonly text: string;
  /** Accessible name, which includes the name of the row. */
  readonly label: string;
  readonly disabled: boolean;
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
