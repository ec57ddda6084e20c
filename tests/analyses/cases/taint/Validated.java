package samples;

import java.lang.annotation.*;
import java.sql.*;
import java.util.List;
import javax.validation.Constraint;
import javax.validation.ConstraintValidator;
import javax.validation.ConstraintValidatorContext;
import javax.validation.constraints.Pattern;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.bind.annotation.*;

/** Parameters that annotations put conditions on. */
@RestController
@Validated
class ValidatedOrders {
    private Statement statement;

    @GetMapping("/sorted")
    void sorted(@Sorted @RequestParam String sort, @RequestParam String other) throws SQLException {
        statement.executeQuery("select * from t order by " + sort);
        statement.executeQuery("select * from t order by " + other); // found sql-injection
    }

    @GetMapping("/named")
    void named(@Pattern(regexp = "[a-z_]+") @RequestParam String sort, @Pattern(regexp = ".+") @RequestParam String any) throws SQLException {
        statement.executeQuery("select * from t order by " + sort);
        statement.executeQuery("select * from t order by " + any); // found sql-injection
    }

    @GetMapping("/sized")
    void sized(@Sized @RequestParam String sort) throws SQLException {
        statement.executeQuery("select * from t order by " + sort); // found sql-injection
    }
}

/** Nobody asks here. */
@RestController
class UnvalidatedOrders {
    private Statement statement;

    @GetMapping("/sorted")
    void sorted(@Sorted @RequestParam String sort) throws SQLException {
        statement.executeQuery("select * from t order by " + sort); // found sql-injection
    }
}

@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = SortedValidator.class)
@interface Sorted {
    String message() default "";
}

class SortedValidator implements ConstraintValidator<Sorted, String> {
    private List<String> names = List.of("ID", "NAME");

    @Override
    public boolean isValid(String value, ConstraintValidatorContext context) {
        if (!names.contains(value.toUpperCase())) {
            return false;
        }
        return true;
    }
}

@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = SizedValidator.class)
@interface Sized {
    String message() default "";
}

class SizedValidator implements ConstraintValidator<Sized, String> {
    @Override
    public boolean isValid(String value, ConstraintValidatorContext context) {
        return value.length() < 100;
    }
}
