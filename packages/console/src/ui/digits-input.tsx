import { Input } from "antd";
import type { InputProps } from "antd";
import { plainNumber } from "./plain-number.ts";

interface DigitsInputProps extends Omit<InputProps, "value" | "onChange" | "type" | "maxLength"> {
  maxLength: number;
  value?: string;
  onChange?: (digits: string) => void;
}

/**
 * Field for whole numbers. It accepts spaces, full-width digits and thousands separators. It ignores any other input,
 * and input with too many digits, because a shortened number would be a different number.
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
