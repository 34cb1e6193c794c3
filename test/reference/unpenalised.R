# Writes unpenalised.json beside this file: references of test/estimators/logisticRegression.test.ts, logistic regression
# without a penalty. Run: Rscript test/reference/unpenalised.R     (R packages jsonlite, MASS, nnet)
#
# birthwt of MASS (Hosmer & Lemeshow 1989): low birth weight by glm, with weights, without an intercept; race by multinom.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
library(MASS)
b <- birthwt; X <- as.matrix(b[, c("age", "lwt", "smoke", "ht", "ui")])
w <- round(1 + (seq_len(nrow(b)) %% 4) / 2, 1)
tight <- glm.control(epsilon = 1e-14, maxit = 100)
case <- function(name, fit, options = list(), weight = NULL) {
  k <- coef(fit); own <- k[names(k) == "(Intercept)"]
  list(name = name, options = options, sampleWeight = weight, intercept = if (length(own)) own[[1]] else 0,
    coef = unname(k[names(k) != "(Intercept)"]), proba = unname(fitted(fit)[1:5]))
}
# quasibinomial: the same estimates, without a warning that weights are no whole numbers
cases <- list(
  case("plain", glm(b$low ~ X, family = binomial, control = tight)),
  case("weights", glm(b$low ~ X, family = quasibinomial, weights = w, control = tight), weight = w),
  case("no intercept", glm(b$low ~ X - 1, family = binomial, control = tight), list(fitIntercept = FALSE)))
several <- nnet::multinom(race ~ age + lwt + smoke, data = b, reltol = 1e-15, maxit = 2000, trace = FALSE)
write(jsonlite::toJSON(list(R = R.version.string, X = unname(X), y = b$low, cases = cases,
  several = list(y = b$race, coef = unname(coef(several)), proba = unname(fitted(several)[1:5, ]))),
  digits = NA, auto_unbox = TRUE, null = "null"), file.path(here, "unpenalised.json"))
