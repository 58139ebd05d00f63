/** A field for whole numbers: whatever else is typed or pasted does not stay. */
import { Input } from "antd";
import type { InputProps } from "antd";
import { useRef, useState } from "react";

/** Half-width digits only; full-width ones, as Chinese input methods give, are taken as digits. */
export function digitsOf(text: string): string {
  return text
    .replaceAll(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replaceAll(/\D/g, "");
}

interface DigitsInputProps extends Omit<InputProps, "value" | "onChange" | "type"> {
  value?: string;
  onChange?: (digits: string) => void;
}

export function DigitsInput({ value, onChange, ...rest }: DigitsInputProps) {
  const composing = useRef(false);
  // While an input method composes, its own text must stay untouched.
  const [raw, setRaw] = useState<string | null>(null);
  const take = (text: string) => {
    setRaw(null);
    onChange?.(digitsOf(text));
  };
  return (
    <Input
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      value={raw ?? value ?? ""}
      onCompositionStart={() => {
        composing.current = true;
      }}
      onCompositionEnd={(event) => {
        composing.current = false;
        take(event.currentTarget.value);
      }}
      onChange={(event) => {
        if (composing.current) {
          setRaw(event.target.value);
        } else {
          take(event.target.value);
        }
      }}
    />
  );
}
