import { Input } from "antd";
import type { InputProps } from "antd";
import { plainNumber } from "./plain-number.ts";

interface DigitsInputProps extends Omit<InputProps, "value" | "onChange" | "type" | "maxLength"> {
  maxLength: number;
  value?: string;
  onChange?: (digits: string) => void;
}

/**
 * A field for whole numbers. Accepts spaces, full-width digits and thousands separators. Other input, or too many digits,
 * is ignored as a whole: a shortened number is another number.
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
