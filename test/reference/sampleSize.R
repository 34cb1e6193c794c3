# Writes sampleSize.json beside this file: sample sizes from the published formulas, with integrals by R's integrate.
# Run: Rscript test/reference/sampleSize.R (R package jsonlite)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))

# Riley et al. 2020, BMJ 368:m441.
development <- function(prevalence, parameters, r2, shrinkage = 0.9, optimism = 0.05, margin = 0.05, mape = NULL) {
  null <- prevalence * log(prevalence) + (1 - prevalence) * log(1 - prevalence)
  highest <- 1 - exp(2 * null)
  size <- function(S) parameters / ((S - 1) * log(1 - r2 / S))
  n <- c(size(shrinkage), size(r2 / (r2 + optimism * highest)), (qnorm(0.975) / margin)^2 * prevalence * (1 - prevalence))
  if (!is.null(mape)) {
    n <- c(n, exp((-0.508 + 0.259 * log(prevalence) + 0.504 * log(parameters) - log(mape)) / 0.544))
  }
  list(prevalence = prevalence, parameters = parameters, r2CoxSnell = r2, shrinkage = shrinkage, optimism = optimism,
       margin = margin, meanAbsoluteError = mape, n = as.integer(ceiling(n)))
}

# Cox-Snell R2 of the logistic model that holds when the linear predictor is normal in either class: the exact value of
# what Riley, Van Calster & Collins 2021 simulate; and that simulation, with glm on half a million patients.
r2FromC <- function(C, prevalence) {
  d <- sqrt(2) * qnorm(C)
  eta <- function(x) qlogis(prevalence) + d * x - d^2 / 2
  fitted <- prevalence * integrate(function(x) dnorm(x, d) * plogis(eta(x), log.p = TRUE), -Inf, Inf, rel.tol = 1e-12)$value +
    (1 - prevalence) * integrate(function(x) dnorm(x) * plogis(-eta(x), log.p = TRUE), -Inf, Inf, rel.tol = 1e-12)$value
  null <- prevalence * log(prevalence) + (1 - prevalence) * log(1 - prevalence)
  1 - exp(2 * (null - fitted))
}
simulatedR2 <- function(C, prevalence, n = 500000) {
  set.seed(1)
  y <- rbinom(n, 1, prevalence)
  x <- rnorm(n) + y * sqrt(2) * qnorm(C)
  fit <- glm(y ~ x, family = binomial)
  1 - exp((fit$deviance - fit$null.deviance) / n)
}
fromC <- lapply(list(c(0.7, 0.1), c(0.81, 0.174), c(0.9, 0.5), c(0.6, 0.02)), function(k) {
  list(cStatistic = k[1], prevalence = k[2], r2CoxSnell = r2FromC(k[1], k[2]), simulated = simulatedR2(k[1], k[2]))
})

# Riley et al. 2021, Statistics in Medicine 40:4230.
validation <- function(prevalence, C, mean = NULL, sd = NULL, oeWidth = 0.2, slopeWidth = 0.2, cWidth = 0.1) {
  z <- qnorm(0.975)
  se <- uniroot(function(s) exp(z * s) - exp(-z * s) - oeWidth, c(1e-6, 10), tol = 1e-14)$root
  density <- if (is.null(mean)) {
    d <- sqrt(2) * qnorm(C)
    function(x) {
      (1 - prevalence) * dnorm(x, qlogis(prevalence) - d^2 / 2, d) + prevalence * dnorm(x, qlogis(prevalence) + d^2 / 2, d)
    }
  } else {
    function(x) dnorm(x, mean, sd)
  }
  info <- sapply(0:2, function(k) {
    integrate(function(x) density(x) * x^k * dlogis(x), -60, 60, rel.tol = 1e-12, subdivisions = 2000)$value
  })
  slope <- info[1] / (info[1] * info[3] - info[2]^2) / (slopeWidth / (2 * z))^2
  newcombe <- function(n) {
    sqrt(C * (1 - C) * (1 + (n / 2 - 1) * ((1 - C) / (2 - C)) + (n / 2 - 1) * C / (1 + C)) / (n^2 * prevalence * (1 - prevalence)))
  }
  n <- 1
  while (newcombe(n) > cWidth / (2 * z)) n <- n + 1
  list(prevalence = prevalence, cStatistic = C, mean = mean, sd = sd, oeWidth = oeWidth, slopeWidth = slopeWidth,
       cWidth = cWidth, n = as.integer(c(ceiling((1 - prevalence) / (prevalence * se^2)), ceiling(slope), n)))
}

hanley <- function(m, n, A, level = 0.95) {
  q1 <- A / (2 - A)
  q2 <- 2 * A^2 / (1 + A)
  se <- sqrt((A * (1 - A) + (m - 1) * (q1 - A^2) + (n - 1) * (q2 - A^2)) / (m * n))
  list(nPositive = m, nNegative = n, auc = A, level = level, se = se, halfWidth = qnorm((1 + level) / 2) * se)
}

json <- list(
  versions = list(R = paste(R.version$major, R.version$minor, sep = ".")),
  development = list(
    development(0.174, 24, 0.288), development(0.05, 10, 0.05), development(0.5, 30, 0.2, shrinkage = 0.95, optimism = 0.02),
    development(0.3, 12, 0.15, margin = 0.03, mape = 0.05), development(0.174, 24, 0.288, mape = 0.05)
  ),
  fromC = fromC,
  validation = list(
    validation(0.018, 0.8, -5, 2.5, oeWidth = 1), validation(0.22, 0.82, -1.75, 1.47), validation(0.1, 0.75),
    validation(0.018, 0.8, oeWidth = 1), validation(0.5, 0.8, slopeWidth = 0.3, cWidth = 0.08)
  ),
  hanley = list(hanley(51, 58, 0.893), hanley(23, 177, 0.8), hanley(23, 177, 0.8, 0.9), hanley(10, 10, 0.5), hanley(300, 1000, 0.95))
)
write(jsonlite::toJSON(json, auto_unbox = TRUE, digits = NA, null = "null"), file.path(here, "sampleSize.json"))
