/** A field for whole numbers. */
import { Input } from "antd";
import type { InputProps } from "antd";
import { plainNumber } from "./plain-number.ts";

interface DigitsInputProps extends Omit<InputProps, "value" | "onChange" | "type" | "maxLength"> {
  /** So many digits at most. */
  maxLength: number;
  value?: string;
  onChange?: (digits: string) => void;
}

/**
 * Spaces, full-width digits and the commas of thousands are taken for what they mean. Anything else that is put in,
 * and more digits than there may be, leaves the field as it was: cut short it would be another number.
 */
export function DigitsInput({ value = "", onChange, maxLength, ...rest }: DigitsInputProps) {
  return (
    <Input
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      value={value}
      onChange={({ target }) => {
        const digits = plainNumber(target.value);
        if (/^\d*$/.test(digits) && digits.length <= maxLength) {
          onChange?.(digits);
        }
      }}
    />
  );
}
